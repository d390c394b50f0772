import { KNOWN_EVENT_TYPES, type LakeSettings } from "../plan/settings.ts";
import { didYouMean } from "../plan/suggest.ts";
import type { KeyPath, Problem } from "../plan/yaml-source.ts";
import type { StateRule } from "./definition.ts";
import { OPERATORS } from "./expression.ts";
import type { StateFile } from "./schema.ts";
import { MAX_OWN_STATES } from "./truth-table.ts";

/** The states that every definition has (R14–R16). */
export const CORE_STATES = ["connected", "foreground", "active"] as const;

const STATE_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** R17: the states of a definition's file in the order of their names; what is wrong with them goes to `problems`. */
export function readStates(
  states: Readonly<Record<string, StateFile>>,
  settings: LakeSettings,
  problems: Problem[],
): Map<string, StateRule> {
  const names = Object.keys(states).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (names.length > MAX_OWN_STATES) {
    problems.push({ path: ["states"], message: `${names.length} states are too many (at most ${MAX_OWN_STATES})` });
  }
  const rules = new Map<string, StateRule>();
  for (const name of names) {
    const path = ["states", name];
    const fault = nameFault(name);
    if (fault) problems.push({ path, message: fault });
    const rule = readRule(states[name]!, path, settings, problems);
    if (rule) rules.set(name, rule);
  }
  return rules;
}

function nameFault(name: string): string | undefined {
  if (CORE_STATES.some((core) => core === name)) return "is a state that every definition has: use another name";
  if (OPERATORS.some((operator) => operator === name)) return "is an operator of online: use another name";
  if (!STATE_NAME.test(name)) return "must be a name of a–z, 0–9 and _, beginning with a letter, at most 64 long";
  return undefined;
}

function readRule(state: StateFile, path: KeyPath, settings: LakeSettings, problems: Problem[]): StateRule | undefined {
  const byTypes = state.on !== undefined || state.off !== undefined;
  const byColumn = state.column !== undefined || state.equals !== undefined;
  if (byTypes === byColumn) {
    const message = byTypes ? "has types and a column: it needs one of the two" : "has neither types nor a column";
    problems.push({ path, message, hint: "write { on: [TYPE], off: [TYPE] } or { column: NAME, equals: [value] }" });
    return undefined;
  }
  const required = byTypes ? (["on", "off"] as const) : (["column", "equals"] as const);
  const missing = required.filter((key) => state[key] === undefined);
  for (const key of missing) problems.push({ path: [...path, key], message: "is missing", hint: missingHint(key) });
  if (missing.length) return undefined;
  if (byColumn) return { kind: "column", column: state.column!, equals: distinct(state.equals!) };
  checkTypes(state, path, settings, problems);
  return { kind: "types", on: distinct(state.on!), off: distinct(state.off!) };
}

function missingHint(key: "on" | "off" | "column" | "equals"): string | undefined {
  return key === "off" ? "write off: [] for a state that is never cleared" : undefined;
}

function checkTypes(state: StateFile, path: KeyPath, settings: LakeSettings, problems: Problem[]): void {
  const usable = [...KNOWN_EVENT_TYPES.filter((type) => type !== "SERVER_TIMEOUT"), ...settings.eventTypes];
  for (const key of ["on", "off"] as const) {
    state[key]!.forEach((type, i) => {
      const at = [...path, key, i];
      if (type === "SERVER_TIMEOUT") {
        problems.push({ path: at, message: "SERVER_TIMEOUT is no evidence of the user and sets no state" });
      } else if (!usable.includes(type)) {
        const declare = `declare it in the lake setting eventTypes`;
        const near = didYouMean(type, usable);
        const message = `unknown event type ${JSON.stringify(type)}`;
        problems.push({ path: at, message, hint: near ? `${near} Else ${declare}` : declare });
      } else if (key === "off" && state.on!.includes(type)) {
        problems.push({ path: at, message: `${type} is both on and off` });
      }
    });
  }
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
