/** A hostile lake with all that is needed to count it: plain data, so that it can be printed, saved and shrunk. */
import type { LakeSettings } from "../../src/plan/settings.ts";
import type { OracleInput, RawEvent, RawValues } from "../oracle/types.ts";
import { type RawDefinition, toDefinition } from "./definitions.ts";
import { windowOf } from "./zones.ts";

/** How one file stores its values. The writer falls back to a plainer form where the values do not allow it. */
export interface Encoding {
  readonly camelCase: boolean;
  /** `epoch` instead of `session_epoch`. */
  readonly shortEpoch: boolean;
  /** Seed of the order of the columns. */
  readonly order: number;
  readonly serverTime: TimeEncoding;
  readonly otherTimes: TimeEncoding;
  readonly sequence: "BIGINT" | "INTEGER" | "DOUBLE" | "text";
  readonly booleansAsText: boolean;
  /** User ids of decimal digits as BIGINT. */
  readonly numericIds: boolean;
  /** Optional columns without a value are left out. */
  readonly omitEmpty: boolean;
  /** Null text is written as ''. */
  readonly emptyText: boolean;
  /** Microseconds that are added to times of a finer unit; reading floors them away. */
  readonly micros: number;
}

export type TimeEncoding = "TIMESTAMP_MS" | "TIMESTAMP" | "TIMESTAMPTZ" | "TIMESTAMP_NS" | "BIGINT" | "text" | "textZ";

export interface LakeFile {
  readonly hourMs: number;
  /** Of the file, without its folder; unique within the hour. */
  readonly name: string;
  readonly encoding: Encoding;
  readonly rows: readonly RawValues[];
}

export interface LakeSpec {
  readonly files: readonly LakeFile[];
  /** Hours that are there without any file: a `_SUCCESS` says so. */
  readonly emptyHours: readonly number[];
}

export interface Scenario {
  readonly zone: string;
  /** YYYY-MM-DD in the zone. */
  readonly day: string;
  readonly settings: LakeSettings;
  readonly definitions: readonly RawDefinition[];
  readonly lake: LakeSpec;
}

/** The folder of a partition, relative to the lake. */
export function partitionOf(hourMs: number): string {
  const iso = new Date(hourMs).toISOString();
  return `event_date=${iso.slice(0, 10)}/event_hour=${iso.slice(11, 13)}`;
}

export const pathOf = (file: LakeFile): string => `${partitionOf(file.hourMs)}/${file.name}`;

export function eventsOf(lake: LakeSpec): RawEvent[] {
  return lake.files.flatMap((file) =>
    file.rows.map((values, row) => ({ hourMs: file.hourMs, file: pathOf(file), row, values })),
  );
}

/** What the reference counter needs to count a scenario. */
export function scenarioToOracleInput(scenario: Scenario): OracleInput {
  const hours = new Set([...scenario.lake.files.map((file) => file.hourMs), ...scenario.lake.emptyHours]);
  return {
    lake: { events: eventsOf(scenario.lake) },
    settings: scenario.settings,
    definitions: scenario.definitions.map(toDefinition),
    window: windowOf(scenario.zone, scenario.day),
    hoursWithData: [...hours].sort((a, b) => a - b),
  };
}
