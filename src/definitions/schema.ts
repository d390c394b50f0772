import { z } from "zod";
import { PresenceError } from "../errors.ts";
import { DURATION_EXAMPLES, parseDuration } from "../plan/duration.ts";
import { didYouMean } from "../plan/suggest.ts";
import type { Problem } from "../plan/yaml-source.ts";

/** The message for a value that is missing or of another kind than `what`. */
function expected(what: string) {
  return (issue: { readonly code: string; readonly input?: unknown }) => {
    if (issue.code === "unrecognized_keys") return undefined;
    return issue.input === undefined ? `is missing: give ${what}` : `must be ${what}, not ${shown(issue.input)}`;
  };
}

function shown(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "keys and values";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const duration = z
  .union([z.string(), z.int().min(0)], { error: expected(DURATION_EXAMPLES) })
  .transform((value, context) => {
    try {
      return parseDuration(String(value));
    } catch (error) {
      if (!(error instanceof PresenceError)) throw error;
      context.addIssue({ code: "custom", message: error.message, params: { hint: error.hint } });
      return z.NEVER;
    }
  });

const bool = z.boolean({ error: expected("true or false") });
const choice = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: expected(values.join(" or ")) });
const text = (what: string) => z.string({ error: expected(what) }).min(1, { error: expected(what) });
const list = (what: string) =>
  z.array(text("a text (in quotes, if it looks like a number)"), { error: expected(what) });

const STATE_SHAPE = "{ on: [TYPE], off: [TYPE] } or { column: NAME, equals: [value] }";

const state = z.strictObject(
  {
    on: list("a list of event types")
      .min(1, { error: () => "is empty: the state would never be true" })
      .optional(),
    off: list("a list of event types").optional(),
    column: text("a column's name").optional(),
    equals: list("a list of values")
      .min(1, { error: () => "is empty: the state would never be true" })
      .optional(),
  },
  { error: expected(STATE_SHAPE) },
);

const NAME = "a name of a–z, 0–9 and -, beginning with a letter, at most 64 long";
const VERSION = "a whole number from 1";

/** A definition's file as it is written; durations become ms. What one value alone cannot tell is checked elsewhere. */
export const definitionFile = z.strictObject({
  name: z.string({ error: expected(NAME) }).regex(/^[a-z][a-z0-9-]{0,63}$/, { error: expected(NAME) }),
  version: z
    .int({ error: expected(VERSION) })
    .min(1, { error: expected(VERSION) })
    .max(2_147_483_647, { error: expected(VERSION) }),
  description: z.string({ error: expected("a text") }).default(""),
  online: text("an expression such as foreground and not busy"),
  gap: z.strictObject({ max: duration, credit: duration }, { error: expected("{ max: 90s, credit: 30s }") }),
  tail: duration,
  idle: duration.optional(),
  foregroundAtStart: bool.default(true),
  devices: choice("all", "latest").default("all"),
  lateUpload: choice("ignore", "compensate").default("ignore"),
  maxShift: duration.default(600_000),
  maxSession: duration.nullable().default(null),
  states: z.record(z.string(), state, { error: expected(`states, each NAME: ${STATE_SHAPE}`) }).default({}),
});

export type DefinitionFile = z.infer<typeof definitionFile>;
export type StateFile = z.infer<typeof state>;

/** The schema's issues as problems; each unknown key is one of its own, with the nearest known key as a hint. */
export function schemaProblems(error: z.ZodError): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    const path = issue.path as (string | number)[];
    if (issue.code === "unrecognized_keys") {
      const known = knownKeys(path);
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: "unknown key",
        hint: didYouMean(key, known) ?? `known here: ${known.join(", ")}`,
      }));
    }
    const hint = issue.code === "custom" ? (issue.params?.hint as string | undefined) : undefined;
    return [{ path, message: issue.message, hint }];
  });
}

function knownKeys(path: readonly (string | number)[]): string[] {
  if (path[0] === "gap") return Object.keys(definitionFile.shape.gap.shape);
  if (path[0] === "states") return Object.keys(state.shape);
  return Object.keys(definitionFile.shape);
}
