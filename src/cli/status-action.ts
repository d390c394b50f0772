import { EXIT, PresenceError } from "../errors.ts";
import { DEFAULT_STALE_DAYS } from "../plan/rebuild-options.ts";
import type { RollupRow } from "../usecases/rollup-states.ts";
import type { StatusResult, StatusRow } from "../usecases/status.ts";
import { type Paint, paintFor, printable } from "./ansi.ts";
import { count, countOf } from "./format.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, neededLake, readMartOptions, reporting } from "./mart-options.ts";
import { type Column, table } from "./table.ts";

/** `status`: how each day stands under each definition; with `--check`, exit 4 where a run has something to do. */
export async function statusAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const merged = readMartOptions(flags, io);
  const { values, days, settings, out } = merged;
  const lake = neededLake(values.lake, "with which its days are compared");
  await reporting(merged, async () => {
    const { status } = await import("../usecases/status.ts");
    const options = {
      out,
      lake,
      days: days.kind === "none" ? ({ kind: "last", count: DEFAULT_STALE_DAYS } as const) : days,
      zone: values.tz ?? null,
      metrics: values.metric ?? null,
      eventTypes: settings.eventTypes,
    };
    const result = await status(options, { nowMs: io.now(), signal, s3: merged.s3 });
    if (values.json) printJson(io, "status", result);
    else io.stdout(statusReport(result, paintFor(io, "stdout")));
    if (flags.check === true && result.toDo > 0) {
      throw new PresenceError(
        EXIT.gate,
        `${count(result.toDo)} of ${countOf(result.rows.length + result.rollups.length, "result")} to build or mend`,
        {
          hint: "Run presence-batch rebuild --stale over the same days, then rollup for the weeks and months that are stale.",
        },
      );
    }
  });
}

const COLUMNS: readonly Column[] = [
  { title: "day", align: "left" },
  { title: "definition", align: "left" },
  { title: "state", align: "left" },
  { title: "commit", align: "right" },
  { title: "why", align: "left" },
];

const FILES_SHOWN = 3;

function statusReport({ rows, rollups, out, toDo }: StatusResult, paint: Paint): string {
  const days = rows.map((row) => [
    row.day,
    `${row.metric}@${row.version}`,
    row.state,
    row.commit === null ? "" : count(row.commit),
    why(row),
  ]);
  const cells = [...days, ...rollups.map(rollupCells)];
  const sum = toDo === 0 ? "nothing to build" : `${count(toDo)} to build or mend: ${whatToRun(rows, rollups)}`;
  return `${table(COLUMNS, cells, paint)}${printable(out)}: ${sum}\n`;
}

const rollupCells = ({ period, metric, version, state, commit, changedDays }: RollupRow): string[] => [
  period,
  `${metric}@${version}`,
  state,
  count(commit),
  changedDays.length > 0 ? `other results of ${some(changedDays)}` : "",
];

function whatToRun(rows: StatusResult["rows"], rollups: StatusResult["rollups"]): string {
  const days = rows.some(({ toBuild, state }) => toBuild || state === "half-published");
  const periods = rollups.some(({ state }) => state === "stale" || state === "half-published");
  return [...(days ? ["presence-batch rebuild --stale"] : []), ...(periods ? ["presence-batch rollup"] : [])].join(
    ", then ",
  );
}

function why(row: StatusRow): string {
  const { reasons, nowOver, hours } = row;
  const changes = [
    ...files("added", row.added),
    ...files("changed", row.changed),
    ...files("removed", row.removed),
    ...(hours.length > 0 ? [`hours (UTC) that came or went: ${some(hours)}`] : []),
    ...(nowOver ? ["built before it was over"] : []),
  ];
  const others = reasons.filter((reason) => reason !== "input" || changes.length === 0);
  return [...others, ...changes].join("; ");
}

const files = (what: string, paths: readonly string[]): string[] =>
  paths.length > 0 ? [`${what} ${some(paths)}`] : [];

function some(texts: readonly string[]): string {
  const more = texts.length - FILES_SHOWN;
  return `${texts.slice(0, FILES_SHOWN).map(printable).join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
}
