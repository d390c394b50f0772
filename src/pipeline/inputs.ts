import type { Definition } from "../definitions/definition.ts";
import type { ColumnState, InputTable } from "../engine/engine.ts";
import type { DayWindow } from "../plan/day-window.ts";
import { KNOWN_EVENT_TYPES, type LakeSettings } from "../plan/settings.ts";
import { definitionTables, stateBit } from "./definition-tables.ts";

/**
 * Everything that the SQL needs to know besides the events, as relations. `sessions`: those that can bear on the day, or `all` of
 * the read window.
 */
export function inputTables(
  settings: LakeSettings,
  window: DayWindow,
  definitions: readonly Definition[],
  sessions: "reaching" | "all" = "reaching",
): InputTable[] {
  return [
    settingsTable(settings, sessions === "all" ? null : longestSlotMs(definitions)),
    {
      name: "day_windows",
      columns: [
        ["zone", "varchar"],
        ["day", "varchar"],
        ["start_ms", "bigint"],
        ["end_ms", "bigint"],
        ["window_start_ms", "bigint"],
        ["window_end_ms", "bigint"],
      ],
      rows: [
        [
          window.zone,
          window.day,
          window.startMs,
          window.endMs,
          window.startMs - settings.lookbackMs,
          window.endMs + settings.lookaheadMs,
        ],
      ],
    },
    {
      name: "known_event_types",
      columns: [["event_type", "varchar"]],
      rows: eventTypes(settings).map((type) => [type]),
    },
    ...definitionTables(definitions),
  ];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What is known of the day's input: whether the result is complete, and which minutes lie in an hour without data. */
export function coverageTables(window: DayWindow, hoursThere: readonly number[], complete: boolean): InputTable[] {
  const there = new Set(hoursThere);
  const minutes: number[] = [];
  for (let minute = window.startMs; minute < window.endMs; minute += MINUTE_MS) minutes.push(minute);
  return [
    { name: "completeness", columns: [["complete", "boolean"]], rows: [[complete]] },
    {
      name: "minutes",
      columns: [
        ["minute_ms", "bigint"],
        ["is_known", "boolean"],
      ],
      rows: minutes.map((minute) => [minute, there.has(Math.floor(minute / HOUR_MS) * HOUR_MS)]),
    },
  ];
}

/** All event types that the lake may hold (R5), without repetition. */
export function eventTypes(settings: LakeSettings): string[] {
  return [...new Set<string>([...KNOWN_EVENT_TYPES, ...settings.eventTypes])];
}

/** The states of all definitions that read a column of the lake. */
export function columnStates(definitions: readonly Definition[]): ColumnState[] {
  return definitions.flatMap((definition, metricNo) =>
    [...definition.states.values()].flatMap((rule, index) =>
      rule.kind === "column" ? [{ metricNo, stateBit: stateBit(index), column: rule.column, equals: rule.equals }] : [],
    ),
  );
}

/** No slot of any definition is longer (R14). */
const longestSlotMs = (definitions: readonly Definition[]): number =>
  Math.max(0, ...definitions.flatMap(({ gapMaxMs, gapCreditMs, tailMs }) => [gapMaxMs, gapCreditMs, tailMs]));

function settingsTable(settings: LakeSettings, reachMs: number | null): InputTable {
  return {
    name: "settings",
    columns: [
      ["partition_slack_ms", "bigint"],
      ["lookahead_ms", "bigint"],
      ["allowed_lateness_ms", "bigint"],
      ["max_sequence_jump", "bigint"],
      ["server_timeout_ms", "bigint"],
      ["timeout_closes", "boolean"],
      ["sequence_by_arrival", "boolean"],
      ["reach_ms", "bigint"],
    ],
    rows: [
      [
        settings.partitionSlackMs,
        settings.lookaheadMs,
        settings.allowedLatenessMs,
        settings.maxSequenceJump,
        settings.serverTimeoutMs,
        settings.timeoutCloses,
        settings.sequence === "arrival",
        reachMs,
      ],
    ],
  };
}
