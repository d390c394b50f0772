import { builtinDefinitions } from "../definitions/builtin.ts";
import type { Definition } from "../definitions/definition.ts";
import { definitionId, resolveDefinitions } from "../definitions/resolve.ts";
import { usageError } from "../errors.ts";
import { readOptions } from "../plan/config.ts";
import type { LakeSettings } from "../plan/settings.ts";
import { paintFor, printable } from "./ansi.ts";
import { definitionDocument, definitionYaml } from "./definition-text.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Column, table } from "./table.ts";

interface Flags {
  readonly json?: boolean;
  readonly config?: string;
}

const LIST_COLUMNS: readonly Column[] = [
  { title: "definition", align: "left" },
  { title: "online", align: "left" },
  { title: "meaning", align: "left" },
];

/** `metrics list`: the built-in definitions. */
export function listMetrics(flags: Flags, io: Io): void {
  const definitions = builtinDefinitions();
  if (flags.json) {
    printJson(io, "metrics", { metrics: definitions.map(definitionDocument) });
    return;
  }
  const rows = definitions.map((definition) => [
    definitionId(definition),
    definition.online,
    firstSentence(definition.description),
  ]);
  io.stdout(table(LIST_COLUMNS, rows, paintFor(io, "stdout")));
}

/** `metrics show NAME`: a definition as its file. */
export function showMetric(name: string, flags: Flags, io: Io): void {
  const definition = resolveOne(name, flags, io);
  if (flags.json) printJson(io, "metric", definitionDocument(definition));
  else io.stdout(definitionYaml(definition));
}

/** `metrics check FILE`: whether a mart of these lake settings could compute it. */
export function checkMetric(file: string, flags: Flags, io: Io): void {
  // A bare name must not be looked up among the built-in definitions.
  const definition = resolveOne(/[\\/]/.test(file) ? file : `./${file}`, flags, io);
  if (flags.json) printJson(io, "metric", definitionDocument(definition));
  else {
    const { online, hash } = definition;
    io.stdout(`${printable(file)} is valid: ${definitionId(definition)}, online: ${online}, hash ${hash}\n`);
  }
}

function resolveOne(name: string, flags: Flags, io: Io): Definition {
  const definitions = resolveDefinitions([name], { settings: settingsFor(flags, io), cwd: io.cwd });
  if (definitions.length > 1) throw usageError(`${name} are several definitions`, "give one at a time");
  return definitions[0]!;
}

function settingsFor(flags: Flags, io: Io): LakeSettings {
  const config = flags.config === undefined ? {} : { config: flags.config };
  return readOptions({ flags: config, env: io.env, cwd: io.cwd }).settings;
}

function firstSentence(description: string): string {
  return /^.*?\.(?=\s|$)/s.exec(description)?.[0] ?? description;
}
