import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { PresenceError, usageError } from "../errors.ts";
import {
  flagName,
  OPTION_NAMES,
  OPTIONS,
  type OptionName,
  optionMeant,
  VARIABLE_PREFIX,
  variableName,
} from "./option-table.ts";
import { isDefinitionPath } from "./option-values.ts";
import { type Problem, parseYaml, readTextFile, throwProblems } from "./yaml-source.ts";

/** Values from one place, read and with absolute paths, and how this place calls an option in messages. */
export interface OptionSource {
  readonly values: ReadonlyMap<OptionName, unknown>;
  /** How an option is written here. */
  name(option: OptionName): string;
  /** A usage error about one of its options that says where it was given. */
  fault(option: OptionName, message: string, hint?: string): PresenceError;
}

export interface OptionInputs {
  /** By camelCase name; undefined where not given. `config` is the config file's path. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The config file that is read where none is named. */
export const DEFAULT_CONFIG = "presence.yaml";

/** All places that options come from, the strongest first: flags, `PRESENCE_BATCH_*` variables, config file. */
export function readSources({ flags, env, cwd }: OptionInputs): OptionSource[] {
  const fromEnv = envSource(env, cwd);
  const named = flags.config ?? env[variableName("config")];
  const path = named === undefined ? DEFAULT_CONFIG : String(named);
  const sources = [flagSource(flags, cwd), fromEnv];
  if (named !== undefined || existsSync(resolve(cwd, path))) sources.push(fileSource(path, cwd));
  return sources;
}

function flagSource(flags: Readonly<Record<string, unknown>>, cwd: string): OptionSource {
  const fault: OptionSource["fault"] = (option, message, hint) =>
    usageError(`${flagName(option)}: ${message}`, hint, { key: flagName(option) });
  const values = new Map<OptionName, unknown>();
  for (const option of OPTION_NAMES) {
    if (flags[option] === undefined) continue;
    values.set(option, readValue(option, flags[option], false, cwd, fault));
  }
  return { values, name: flagName, fault };
}

// A variable that is set but empty is refused like any other wrong value: to pass over it would let a weaker source decide.
function envSource(env: Readonly<Record<string, string | undefined>>, cwd: string): OptionSource {
  const options = new Map(OPTION_NAMES.map((option) => [variableName(option), option]));
  const fault: OptionSource["fault"] = (option, message, hint) =>
    usageError(`${variableName(option)}: ${message}`, hint, { key: variableName(option) });
  const values = new Map<OptionName, unknown>();
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith(VARIABLE_PREFIX) || value === undefined) continue;
    if (variable === variableName("config")) {
      if (value === "") throw usageError(`${variable}: is empty: give the config file's path, or unset it`);
      continue;
    }
    const option = options.get(variable);
    if (!option) {
      const meant = optionMeant(variable.slice(VARIABLE_PREFIX.length));
      const hint = meant ? `did you mean ${variableName(meant)}?` : "unset it, or see rebuild --help for what there is";
      throw usageError(`unknown environment variable ${variable}`, hint, { key: variable });
    }
    values.set(option, readValue(option, value, false, cwd, fault));
  }
  return { values, name: variableName, fault };
}

function fileSource(path: string, cwd: string): OptionSource {
  const absolute = resolve(cwd, path);
  const source = parseYaml(readTextFile(absolute, path, "the config file"), path);
  const problems: Problem[] = [];
  const fault: OptionSource["fault"] = (option, message, hint) => {
    const place = { file: path, line: source.line([option]), key: option };
    return usageError(`${path}:${place.line}: ${option}: ${message}`, hint, place);
  };
  const values = new Map<OptionName, unknown>();
  for (const [key, value] of Object.entries(source.value)) {
    if (!isOption(key)) {
      const meant = optionMeant(key);
      const hint = meant ? `did you mean ${meant}?` : "see rebuild --help; keys are the options in camelCase";
      problems.push({ path: [key], message: "unknown key", hint });
      continue;
    }
    try {
      values.set(key, located(key, OPTIONS[key](value, true), dirname(absolute), true));
    } catch (error) {
      if (!(error instanceof PresenceError)) throw error;
      problems.push({ path: [key], message: error.message, hint: error.hint });
    }
  }
  throwProblems(source, problems);
  return { values, name: (option) => option, fault };
}

function isOption(key: string): key is OptionName {
  return Object.hasOwn(OPTIONS, key);
}

function readValue(
  option: OptionName,
  value: unknown,
  typed: boolean,
  baseDir: string,
  fault: OptionSource["fault"],
): unknown {
  try {
    return located(option, OPTIONS[option](value, typed), baseDir, false);
  } catch (error) {
    if (!(error instanceof PresenceError)) throw error;
    throw fault(option, error.message, error.hint);
  }
}

/** Paths are relative to the current folder, in a config file to its own folder: made absolute where that is still known. */
function located(option: OptionName, value: unknown, baseDir: string, inFile: boolean): unknown {
  const isPath =
    option === "lake" ||
    option === "out" ||
    option === "tempDir" ||
    option === "sparkDir" ||
    option === "emit" ||
    option === "collect";
  if (isPath) return String(value).startsWith("s3://") ? value : resolve(baseDir, String(value));
  if (option === "metric" && inFile) {
    return (value as string[]).map((metric) => (isDefinitionPath(metric) ? resolve(baseDir, metric) : metric));
  }
  return value;
}
