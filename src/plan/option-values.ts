import { usageError } from "../errors.ts";
import { DURATION_EXAMPLES, formatDuration, parseDuration } from "./duration.ts";
import { parseShare } from "./percent.ts";
import { CORE_EVENT_TYPES, KNOWN_EVENT_TYPES } from "./settings.ts";
import { parseSize } from "./size.ts";
import { didYouMean } from "./suggest.ts";

/**
 * Reads one option's value and throws a usage error, without saying whose value it is, where it is wrong. `typed` values come
 * from YAML; others are the texts of flags and environment variables (a flag without a value is `true`).
 */
export type ValueReader<T> = (value: unknown, typed: boolean) => T;

function wrong(what: string, value: unknown, hint?: string): Error {
  if (value === "" || value === null || value === undefined) return usageError(`is empty: give ${what}`, hint);
  const text =
    typeof value === "object" ? (Array.isArray(value) ? "a list" : "keys and values") : JSON.stringify(value);
  return usageError(`must be ${what}, not ${text}`, hint);
}

/** Any text but an empty one. */
export function text(what: string): ValueReader<string> {
  return (value) => {
    if (typeof value !== "string" || value.trim() === "") throw wrong(what, value);
    return value;
  };
}

/** A folder or `s3://bucket/prefix`. */
export const location: ValueReader<string> = (value) => {
  const what = "a folder or s3://bucket/prefix";
  if (typeof value !== "string" || value.trim() === "") throw wrong(what, value);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value)?.[1];
  if (scheme === undefined) return value;
  // Not quoted: it may hold what is nobody's business.
  if (/^s3:\/\/[^/]*[@:]/.test(value)) throw usageError(`must be ${what}, without credentials`, CREDENTIALS_HINT);
  if (!/^s3:\/\/[A-Za-z0-9][\w.-]{1,254}(\/|$)/.test(value)) throw wrong(what, value);
  return value;
};

const CREDENTIALS_HINT = "credentials come from AWS_* variables, a profile or the machine's role";

/** The URL of an S3 store, without a path of its own. */
export const endpoint: ValueReader<string> = (value) => {
  const what = "a URL such as https://s3.example.com";
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : null;
  if (url && (url.username || url.password)) throw usageError(`must be ${what}, without credentials`, CREDENTIALS_HINT);
  if (!url || !["http:", "https:"].includes(url.protocol) || url.search || url.hash) throw wrong(what, value);
  return url.href.replace(/\/+$/, "");
};

export const flag: ValueReader<boolean> = (value, typed) => {
  if (typeof value === "boolean") return value;
  if (!typed && (value === "true" || value === "1")) return true;
  if (!typed && (value === "false" || value === "0")) return false;
  throw wrong("true or false", value);
};

export function integer(least: number, most: number): ValueReader<number> {
  return (value, typed) => {
    const number = !typed && typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
    if (Number.isSafeInteger(number) && (number as number) >= least && (number as number) <= most)
      return number as number;
    throw wrong(`a whole number from ${least} to ${most}`, value);
  };
}

export function choice<const T extends readonly string[]>(...choices: T): ValueReader<T[number]> {
  return (value) => {
    if (choices.some((known) => known === value)) return value as T[number];
    throw wrong(choices.join(" or "), value, typeof value === "string" ? didYouMean(value, choices) : undefined);
  };
}

/** A duration in ms, at most `mostMs`. */
export function duration(mostMs: number): ValueReader<number> {
  return (value) => {
    // YAML reads 0 as a number; any other number lacks its unit, and parseDuration says so.
    const written = Number.isInteger(value) ? String(value) : value;
    if (typeof written !== "string" || written === "") throw wrong(DURATION_EXAMPLES, value);
    const ms = parseDuration(written);
    if (ms > mostMs) throw usageError(`${written} is too long (at most ${formatDuration(mostMs)})`);
    return ms;
  };
}

/** Bytes. */
export const size: ValueReader<number> = (value) => {
  if (typeof value !== "string" || value === "") throw wrong("a size such as 400MB, 1GB or 2GiB", value);
  return parseSize(value);
};

/** A share from 0 to 1. */
export const share: ValueReader<number> = (value) => {
  const written = typeof value === "number" ? String(value) : value;
  if (typeof written !== "string" || written === "") throw wrong("a share such as 5%, 0.5% or 0.05", value);
  return parseShare(written);
};

/** One text or a list of them; flags and variables may hold comma lists. */
export const names: ValueReader<string[]> = (value) => {
  const given: unknown[] = Array.isArray(value) ? value : [value];
  const split = given.flatMap((item) =>
    typeof item === "string" ? item.split(",").map((name) => name.trim()) : [item],
  );
  const odd = split.find((item) => typeof item !== "string" || item === "");
  if (split.length === 0 || odd !== undefined) throw wrong("a name or a list of names", odd ?? "");
  return split as string[];
};

/** Whether a metric is the path of a definition's file rather than a built-in name. */
export function isDefinitionPath(metric: string): boolean {
  return /\.ya?ml$/i.test(metric) || /[\\/]/.test(metric);
}

/** R5: what a lake declares beside the known types; sorted, without repetition. An empty list is allowed. */
export const eventTypes: ValueReader<string[]> = (value, typed) => {
  if (Array.isArray(value) && value.length === 0) return [];
  const types = names(value, typed);
  for (const type of types) {
    if (!/^[A-Z][A-Z0-9_]*$/.test(type)) throw wrong("event types of A–Z, 0–9 and _", type);
    if (CORE_EVENT_TYPES.some((core) => core === type)) {
      throw usageError(`${type} is a core event type: every lake may hold it`, "leave it out");
    }
  }
  const known: readonly string[] = KNOWN_EVENT_TYPES;
  return [...new Set(types)].filter((type) => !known.includes(type)).sort();
};
