import { Document, type Scalar, type YAMLMap } from "yaml";
import type { Definition } from "../definitions/definition.ts";
import { formatDuration } from "../plan/duration.ts";

/** A definition as its file would say it, every default written out, and its hash. */
export function definitionDocument(definition: Definition): Readonly<Record<string, unknown>> {
  return { ...fileKeys(definition), hash: definition.hash };
}

/** The YAML file that defines the same: reading it gives the same hash. */
export function definitionYaml(definition: Definition): string {
  const yaml = new Document(fileKeys(definition));
  (yaml.get("description", true) as Scalar).type = "BLOCK_FOLDED";
  (yaml.get("gap") as YAMLMap).flow = true;
  for (const name of definition.states.keys()) (yaml.getIn(["states", name]) as YAMLMap).flow = true;
  return `${yaml.toString({ lineWidth: 100 })}# hash: ${definition.hash}\n`;
}

function fileKeys(definition: Definition): Record<string, unknown> {
  return {
    name: definition.name,
    version: definition.version,
    description: definition.description,
    online: definition.online,
    gap: { max: formatDuration(definition.gapMaxMs), credit: formatDuration(definition.gapCreditMs) },
    tail: formatDuration(definition.tailMs),
    ...(definition.idleMs === null ? {} : { idle: formatDuration(definition.idleMs) }),
    foregroundAtStart: definition.foregroundAtStart,
    devices: definition.devices,
    lateUpload: definition.lateUpload,
    maxShift: formatDuration(definition.maxShiftMs),
    maxSession: definition.maxSessionMs === null ? null : formatDuration(definition.maxSessionMs),
    ...(definition.states.size === 0 ? {} : { states: stateKeys(definition) }),
  };
}

function stateKeys({ states }: Definition): Record<string, unknown> {
  const keys = [...states].map(([name, rule]) => {
    const { kind: _, ...written } = rule;
    return [name, written];
  });
  return Object.fromEntries(keys);
}
