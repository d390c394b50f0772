import type { Definition } from "../definitions/definition.ts";
import { onlineMasks } from "../definitions/truth-table.ts";
import type { ColumnState, InputTable, Value } from "../engine/engine.ts";
import type { DayWindow } from "../plan/day-window.ts";
import { KNOWN_EVENT_TYPES, type LakeSettings } from "../plan/settings.ts";

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

const stateBit = (index: number): number => 4 * 2 ** index;

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

/** Whether the definition's `online` depends on activity (R16). */
export function usesActive(definition: Definition): boolean {
  return names(definition.expression).has("active");
}

function names(expression: Definition["expression"]): Set<string> {
  switch (expression.op) {
    case "state":
      return new Set([expression.name]);
    case "not":
      return names(expression.arg);
    default:
      return new Set([...names(expression.left), ...names(expression.right)]);
  }
}

function definitionTables(definitions: readonly Definition[]): InputTable[] {
  const timings = new Map<string, readonly Value[]>();
  const definitionRows = definitions.map((definition, metricNo) => {
    const compensates = definition.lateUpload === "compensate";
    const key = compensates ? `${definition.gapMaxMs} ${definition.maxShiftMs}` : "arrival";
    const timing = timings.get(key) ?? [timings.size, compensates, definition.gapMaxMs, definition.maxShiftMs];
    timings.set(key, timing);
    return [
      metricNo,
      definition.name,
      definition.version,
      timing[0] as number,
      definition.gapMaxMs,
      definition.gapCreditMs,
      definition.tailMs,
      definition.idleMs,
      definition.foregroundAtStart,
      definition.devices === "latest",
      definition.maxSessionMs,
      usesActive(definition),
    ];
  });
  return [
    {
      name: "definitions",
      columns: [
        ["metric_no", "integer"],
        ["metric", "varchar"],
        ["version", "integer"],
        ["timing_no", "integer"],
        ["gap_max_ms", "bigint"],
        ["gap_credit_ms", "bigint"],
        ["tail_ms", "bigint"],
        ["idle_ms", "bigint"],
        ["foreground_at_start", "boolean"],
        ["latest_device", "boolean"],
        ["max_session_ms", "bigint"],
        ["uses_active", "boolean"],
      ],
      rows: definitionRows,
    },
    {
      name: "timings",
      columns: [
        ["timing_no", "integer"],
        ["compensates", "boolean"],
        ["gap_max_ms", "bigint"],
        ["max_shift_ms", "bigint"],
      ],
      rows: [...timings.values()],
    },
    {
      name: "online_masks",
      columns: [
        ["metric_no", "integer"],
        ["mask", "bigint"],
      ],
      rows: definitions.flatMap((definition, metricNo) => onlineMasks(definition).map((mask) => [metricNo, mask])),
    },
    nestedTable(definitions),
    ...stateTables(definitions),
  ];
}

/** C5: pairs of definitions of which the first can never count more than the second. */
function nestedTable(definitions: readonly Definition[]): InputTable {
  const order = ["active", "foreground", "connected"];
  const likeness = (d: Definition) =>
    JSON.stringify([d.gapMaxMs, d.gapCreditMs, d.tailMs, d.foregroundAtStart, d.devices, d.lateUpload, d.maxShiftMs]);
  const rows = definitions.flatMap((inner, innerNo) =>
    definitions.flatMap((outer, outerNo) => {
      const [narrow, wide] = [order.indexOf(inner.online), order.indexOf(outer.online)];
      const nested = narrow >= 0 && narrow < wide && inner.devices === "all" && likeness(inner) === likeness(outer);
      return nested ? [[innerNo, outerNo]] : [];
    }),
  );
  return {
    name: "nested_definitions",
    columns: [
      ["inner_no", "integer"],
      ["outer_no", "integer"],
    ],
    rows,
  };
}

function stateTables(definitions: readonly Definition[]): InputTable[] {
  const states = definitions.flatMap((definition, metricNo) =>
    [...definition.states.values()].map((rule, index) => ({ metricNo, bit: stateBit(index), rule })),
  );
  return [
    {
      name: "states",
      columns: [
        ["metric_no", "integer"],
        ["state_bit", "bigint"],
      ],
      rows: states.map((state) => [state.metricNo, state.bit]),
    },
    {
      name: "state_types",
      columns: [
        ["metric_no", "integer"],
        ["state_bit", "bigint"],
        ["event_type", "varchar"],
        ["is_on", "boolean"],
      ],
      rows: states.flatMap(({ metricNo, bit, rule }) =>
        rule.kind === "types"
          ? [
              ...rule.on.map((type) => [metricNo, bit, type, true]),
              ...rule.off.map((type) => [metricNo, bit, type, false]),
            ]
          : [],
      ),
    },
  ];
}
