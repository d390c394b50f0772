import { inputError, usageError } from "../errors.ts";
import type { ExportSource } from "../export/columns.ts";
import { MART_TABLES } from "../pipeline/tables.ts";
import { type DayRequest, resolveDays } from "../plan/days.ts";
import { isPeriodName, namedPeriod, type PeriodRequest, resolvePeriod } from "../plan/periods.ts";
import { didYouMean } from "../plan/suggest.ts";
import { type Commit, EVENTS, readHead } from "../publish/commit.ts";
import { readMart } from "../publish/mart-identity.ts";
import type { OutputFile } from "../publish/output-file.ts";
import { tableFiles } from "../publish/run-table.ts";
import { ROLLUP_TABLES } from "../rollup/tables.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { noMart } from "./open-mart.ts";

/** What of a mart is to be exported. */
export interface ExportRequest {
  readonly table: string;
  readonly days: DayRequest;
  /** For tables of weeks or months: which one. */
  readonly period: PeriodRequest | null;
  /** `name`, for its newest version of the date, or `name@version`; null for all that each date has. */
  readonly metrics: readonly string[] | null;
}

/** A part of a date as its last commit has it, with the file of the table. */
export interface ExportedPart {
  readonly date: string;
  /** Null for tables of the day. */
  readonly metric: string | null;
  readonly version: number | null;
  readonly run: string;
  readonly complete: boolean;
  readonly files: readonly OutputFile[];
  readonly partition: ExportSource["partition"];
}

/** What of the mart a request means, in the order of dates and definitions. A week or month stands for a date where a table has them. */
export async function exportedParts(
  store: ObjectStore,
  request: ExportRequest,
  nowMs: number,
): Promise<ExportedPart[]> {
  const table = tableOf(request.table);
  if (table.per === "day" && request.metrics !== null) {
    throw usageError(`${table.name} does not depend on a definition`, "Leave --metric out.");
  }
  const mart = await readMart(store);
  if (mart === null) throw noMart(store.location);
  const parts: ExportedPart[] = [];
  for (const date of datesOf(table, request, mart.identity.zone, nowMs)) {
    const head = await readHead(store, date);
    if (head === null)
      throw lacking(store, `no ${table.per === "week" || table.per === "month" ? table.per : "day"} ${date}`, date);
    const names = table.per === "day" ? [EVENTS] : definitionsOf(store, head, request.metrics);
    for (const name of names) parts.push(partOf(head, name, table.name));
  }
  return parts;
}

type Table = (typeof MART_TABLES)[number] | (typeof ROLLUP_TABLES)[number];

function datesOf({ name, per }: Table, { days, period }: ExportRequest, zone: string, nowMs: number): string[] {
  if (per === "week" || per === "month") {
    if (period?.kind === per) return [resolvePeriod(period, zone, nowMs).name];
    throw usageError(`${name} has one partition for each ${per}`, `Name it with --${per}.`);
  }
  if (period !== null) throw usageError(`${name} has one partition for each day`, "Name it with --date.");
  return resolveDays(days, zone, nowMs);
}

function tableOf(name: string): Table {
  const all = [...MART_TABLES, ...ROLLUP_TABLES];
  const table = all.find((known) => known.name === name);
  if (table) return table;
  const known = all.map((each) => each.name);
  throw usageError(
    `--table ${name} is no table of a mart`,
    didYouMean(name, known) ?? `there are: ${known.join(", ")}`,
  );
}

function definitionsOf(store: ObjectStore, head: Commit, metrics: readonly string[] | null): string[] {
  const there = Object.keys(head.parts)
    .filter((name) => name !== EVENTS)
    .sort(byNameAndVersion);
  if (metrics === null) return there;
  const wanted = metrics.map((metric) => {
    const found = there.findLast((name) => name === metric || name.startsWith(`${metric}@`));
    if (found === undefined) throw lacking(store, `no ${metric} of ${head.date}, but ${there.join(", ")}`, head.date);
    return found;
  });
  return [...new Set(wanted)].sort(byNameAndVersion);
}

const lacking = (store: ObjectStore, what: string, date: string) =>
  inputError(
    `the mart ${store.location} has ${what}`,
    `Build it first: presence-batch ${isPeriodName(date) ? `rollup --${namedPeriod(date).kind}` : "rebuild --date"} ${date}`,
  );

function byNameAndVersion(a: string, b: string): number {
  const [[nameA, versionA], [nameB, versionB]] = [a.split("@"), b.split("@")];
  return nameA === nameB ? Number(versionA) - Number(versionB) : nameA! < nameB! ? -1 : 1;
}

function partOf(head: Commit, name: string, table: string): ExportedPart {
  const { run, complete, files } = head.parts[name]!;
  const own = tableFiles({ files }, table);
  const [metric = null, version] = name === EVENTS ? [] : name.split("@");
  const { date } = head;
  return {
    ...{ date, metric, version: version === undefined ? null : Number(version), run, complete, files: own },
    partition: [
      isPeriodName(date)
        ? { name: namedPeriod(date).kind, value: date, type: "text" }
        : { name: "date", value: date, type: "date" },
      ...(metric === null
        ? []
        : ([
            { name: "metric", value: metric, type: "text" },
            { name: "version", value: Number(version), type: "integer" },
          ] as const)),
    ],
  };
}
