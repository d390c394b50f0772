import type { Definition } from "../definitions/definition.ts";
import { onlineMasks } from "../definitions/truth-table.ts";
import type { InputTable, Value } from "../engine/engine.ts";

/** A definition's own states take the bits from 4 on; 1 is foreground, 2 active. */
export const stateBit = (index: number): number => 4 * 2 ** index;

/** The definitions, as the relations that the SQL reads. */
export function definitionTables(definitions: readonly Definition[]): InputTable[] {
  const timings = new Map<string, readonly Value[]>();
  /** The shortest `idle` of each timing (R16); none where no definition of it uses `active`. */
  const idles = new Map<string, number>();
  const definitionRows = definitions.map((definition, metricNo) => {
    const compensates = definition.lateUpload === "compensate";
    const key = compensates ? `${definition.gapMaxMs} ${definition.maxShiftMs}` : "arrival";
    const timing = timings.get(key) ?? [timings.size, compensates, definition.gapMaxMs, definition.maxShiftMs];
    timings.set(key, timing);
    const { idleMs } = definition;
    if (idleMs !== null) idles.set(key, Math.min(idleMs, idles.get(key) ?? idleMs));
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
      idleMs !== null,
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
        ["idle_ms", "bigint"],
      ],
      rows: [...timings].map(([key, timing]) => [...timing, idles.get(key) ?? null]),
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
