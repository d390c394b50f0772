import type { LakeSettings } from "../plan/settings.ts";
import { type KeyPath, type Problem, parseYaml, throwProblems } from "../plan/yaml-source.ts";
import { boundProblems } from "./bounds.ts";
import type { Definition, Expression } from "./definition.ts";
import { checkNames, ExpressionError, parseExpression, usedStates } from "./expression.ts";
import { definitionHash } from "./hash.ts";
import { CORE_STATES, readStates } from "./own-states.ts";
import { definitionFile, schemaProblems } from "./schema.ts";
import { onlineMasks } from "./truth-table.ts";

/**
 * Reads a definition's file. Everything wrong in it is gathered; the usage error names file, line and key of the first and
 * counts the others.
 */
export function parseDefinition(yamlText: string, fileName: string, context: { settings: LakeSettings }): Definition {
  const source = parseYaml(yamlText, fileName);
  const read = definitionFile.safeParse(source.value);
  const problems: Problem[] = read.success ? [] : schemaProblems(read.error);
  // The schema passes over this key in a map of states without a word.
  const states = source.value.states;
  if (states && Object.hasOwn(states, "__proto__"))
    problems.push({ path: ["states", "__proto__"], message: "is no name" });
  throwProblems(source, problems);
  const file = read.data!;

  const ownStates = readStates(file.states, context.settings, problems);
  const known = [...CORE_STATES, ...Object.keys(file.states)];
  const expression = readExpression(file.online, known, problems);
  const usesActive = expression !== undefined && usedStates(expression).has("active");
  if (usesActive && file.idle === undefined) {
    const hint = "write idle: 5m, how long a user counts as active after an interaction";
    problems.push({ path: ["idle"], at: ["online"] as KeyPath, message: "is missing: online uses active", hint });
  }
  if (file.maxSession === 0) {
    problems.push({
      path: ["maxSession"],
      message: "0 would quarantine every session",
      hint: "write null for no limit",
    });
  }
  const durations = {
    gapMaxMs: file.gap.max,
    gapCreditMs: file.gap.credit,
    tailMs: file.tail,
    maxShiftMs: file.maxShift,
    maxSessionMs: file.maxSession,
  };
  problems.push(...boundProblems({ ...durations, idleMs: file.idle ?? null }, context.settings));
  if (expression && problems.length === 0 && onlineMasks({ expression, states: ownStates }).length === 0) {
    const hint = "within connected time, active time lies in foreground time";
    problems.push({ path: ["online"], message: "can never be true", hint });
  }
  throwProblems(source, problems);

  const definition = {
    name: file.name,
    version: file.version,
    description: file.description.trim(),
    online: file.online.trim().replace(/\s+/g, " "),
    expression: expression!,
    ...durations,
    idleMs: usesActive ? file.idle! : null,
    foregroundAtStart: file.foregroundAtStart,
    devices: file.devices,
    lateUpload: file.lateUpload,
    states: ownStates,
  };
  return { ...definition, hash: definitionHash(definition) };
}

function readExpression(text: string, known: readonly string[], problems: Problem[]): Expression | undefined {
  try {
    const expression = parseExpression(text);
    checkNames(text, known);
    return expression;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    problems.push({ path: ["online"], message: error.message, hint: error.hint });
    return undefined;
  }
}
