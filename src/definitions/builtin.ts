import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DEFAULT_SETTINGS } from "../plan/settings.ts";
import type { Definition } from "./definition.ts";
import { parseDefinition } from "./parse-definition.ts";

// Both src/definitions and dist/definitions lie two levels below the package, which ships the files as they are in src.
const FOLDER = new URL("../../src/definitions/builtin/", import.meta.url);

let loaded: readonly Definition[] | undefined;

/** The definitions that come with the tool, by name and version. Their bounds are not yet checked against a mart's settings. */
export function builtinDefinitions(): readonly Definition[] {
  loaded ??= readdirSync(fileURLToPath(FOLDER))
    .filter((fileName) => fileName.endsWith(".yaml"))
    .map(load)
    .sort((a, b) => (a.name === b.name ? a.version - b.version : a.name < b.name ? -1 : 1));
  return loaded;
}

function load(fileName: string): Definition {
  const text = readFileSync(new URL(encodeURIComponent(fileName), FOLDER), "utf8");
  const definition = parseDefinition(text, fileName, { settings: DEFAULT_SETTINGS });
  if (fileName !== `${definition.name}@${definition.version}.yaml`) {
    throw new Error(`built-in file ${fileName} holds ${definition.name}@${definition.version}`);
  }
  return definition;
}

/** A built-in definition of this version, or its newest; undefined where there is none. */
export function findBuiltin(name: string, version?: number): Definition | undefined {
  return builtinDefinitions()
    .filter((definition) => definition.name === name && (version === undefined || definition.version === version))
    .at(-1);
}
