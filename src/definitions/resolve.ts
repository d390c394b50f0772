import { resolve } from "node:path";
import { type PresenceError, usageError } from "../errors.ts";
import { isDefinitionPath } from "../plan/option-values.ts";
import type { LakeSettings } from "../plan/settings.ts";
import { nearest } from "../plan/suggest.ts";
import { readTextFile } from "../plan/yaml-source.ts";
import { checkBounds } from "./bounds.ts";
import { builtinDefinitions, findBuiltin } from "./builtin.ts";
import type { Definition } from "./definition.ts";
import { parseDefinition } from "./parse-definition.ts";

/** `foreground@1`: how a definition is called in messages and options. */
export function definitionId(definition: Pick<Definition, "name" | "version">): string {
  return `${definition.name}@${definition.version}`;
}

/**
 * The definitions that `--metric` names, each value a comma list of built-in names (`foreground`: its newest version),
 * `foreground@1` or YAML files relative to `cwd`. The same definition twice is one; two of one name and version that mean
 * something else are a usage error, and so is a file that claims a built-in's name and version.
 */
export function resolveDefinitions(
  metricArgs: readonly string[],
  context: { settings: LakeSettings; cwd: string },
): Definition[] {
  const chosen = new Map<string, { definition: Definition; metric: string }>();
  for (const metric of splitMetrics(metricArgs)) {
    const definition = isDefinitionPath(metric) ? fromFile(metric, context) : fromBuiltin(metric);
    checkBounds(definition, context.settings);
    const id = definitionId(definition);
    const before = chosen.get(id);
    if (before && before.definition.hash !== definition.hash) {
      throw usageError(`${before.metric} and ${metric} both are ${id}, but not the same rule`, RENAME, {
        file: metric,
      });
    }
    if (!before) chosen.set(id, { definition, metric });
  }
  return [...chosen.values()].map(({ definition }) => definition);
}

const RENAME = "give the changed rule another name or a higher version";

/** The single metrics of comma lists; an empty one is a usage error. */
export function splitMetrics(metricArgs: readonly string[]): string[] {
  const metrics = metricArgs.flatMap((arg) => arg.split(",").map((metric) => metric.trim()));
  if (metrics.length === 0 || metrics.includes("")) throw usageError("a metric is empty", `known: ${builtinList()}`);
  return metrics;
}

function fromFile(path: string, context: { settings: LakeSettings; cwd: string }): Definition {
  const text = readTextFile(resolve(context.cwd, path), path, "the definition");
  const definition = parseDefinition(text, path, context);
  const builtin = findBuiltin(definition.name, definition.version);
  if (builtin && builtin.hash !== definition.hash) {
    throw usageError(`${path} is not the built-in ${definitionId(builtin)} that it says it is`, RENAME, { file: path });
  }
  return definition;
}

function fromBuiltin(metric: string): Definition {
  const [, name, version] = /^([^@]+)(?:@([1-9]\d{0,9}))?$/.exec(metric) ?? [];
  const found = name === undefined ? undefined : findBuiltin(name, version === undefined ? undefined : Number(version));
  if (!found) throw unknownMetric(metric);
  return found;
}

function unknownMetric(metric: string): PresenceError {
  const name = metric.split("@")[0]!;
  const near = findBuiltin(name) ? name : nearest(name, new Set(builtinDefinitions().map((known) => known.name)));
  const suggestion = near ? `did you mean ${definitionId(findBuiltin(near)!)}? ` : "";
  return usageError(
    `unknown metric ${JSON.stringify(metric)}`,
    `${suggestion}Known: ${builtinList()}, or the path of a .yaml file`,
  );
}

function builtinList(): string {
  return builtinDefinitions().map(definitionId).join(", ");
}
