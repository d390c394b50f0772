import { usageError } from "../errors.ts";
import * as value from "../plan/option-values.ts";
import type { PeriodRequest } from "../plan/periods.ts";
import type { MetricRollup, RollupResult } from "../usecases/rollup.ts";
import { type Paint, paintFor, printable } from "./ansi.ts";
import { clocks, count, countOf, dayList } from "./format.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, named, readMartOptions, reporting } from "./mart-options.ts";
import { namedByFlags } from "./period-flags.ts";
import { type Column, table } from "./table.ts";

/** `rollup`: which period and definitions are flags only; a config file's days and definitions are those of a rebuild. */
export async function rollupAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const merged = readMartOptions(flags, io);
  const { values, out } = merged;
  const options = {
    out,
    period: periodOf(flags, merged.days),
    metrics: flags.metric === undefined ? null : named("metric", () => value.names(flags.metric, false)),
    missingDays:
      flags.missingDays === undefined
        ? 0
        : named("missingDays", () => value.integer(0, 3_700)(flags.missingDays, false)),
    threads: values.threads ?? null,
    memoryLimitBytes: values.memoryLimit ?? null,
    tempDir: values.tempDir ?? null,
  };
  await reporting(merged, async () => {
    const { rollup } = await import("../usecases/rollup.ts");
    signal.throwIfAborted();
    const result = await rollup(options, { nowMs: io.now(), signal, s3: merged.s3 });
    const paint = paintFor(io, "stderr");
    for (const warning of warnings(result)) io.stderr(`${paint.yellow("warning:")} ${printable(warning)}\n`);
    if (values.json) printJson(io, "rollup", result);
    else io.stdout(rollupText(result, paintFor(io, "stdout")));
  });
}

function periodOf(flags: Flags, days: ReturnType<typeof readMartOptions>["days"]): PeriodRequest {
  const period = namedByFlags(flags);
  if (period !== null) return period;
  if (flags.from === undefined && flags.to === undefined && flags.last === undefined) {
    throw usageError("which period?", "for example --week 2026-W31, --month 2026-07, or --from and --to");
  }
  return { kind: "days", days };
}

const warnings = ({ period, metrics }: RollupResult): string[] =>
  metrics.flatMap(({ metric, version, missingDays, incompleteDays }) => [
    ...(missingDays.length > 0
      ? [`${period.name} ${metric}@${version} is incomplete: it lacks ${dayList(missingDays)}`]
      : []),
    ...(incompleteDays.length > 0
      ? [
          `${period.name} ${metric}@${version} is incomplete: so ${incompleteDays.length === 1 ? "is" : "are"} ${dayList(incompleteDays)}`,
        ]
      : []),
  ]);

const COLUMNS: readonly Column[] = [
  { title: "period", align: "left" },
  { title: "definition", align: "left" },
  { title: "users", align: "right" },
  { title: "online h:mm:ss", align: "right" },
  { title: "active days", align: "right" },
  { title: "sessions", align: "right" },
  { title: "median", align: "right" },
  { title: "90 %", align: "right" },
  { title: "99 %", align: "right" },
];

function rollupText({ period, metrics, published, out }: RollupResult, paint: Paint): string {
  const of = (pick: (each: MetricRollup) => number | null) => clocks(metrics.map((each) => pick(each) ?? 0));
  const [online, p50, p90, p99] = [of((m) => m.onlineMs), of((m) => m.p50Ms), of((m) => m.p90Ms), of((m) => m.p99Ms)];
  const rows = metrics.map((each, i) => [
    each.complete ? period.name : `${period.name}*`,
    `${each.metric}@${each.version}`,
    count(each.users),
    online![i]!,
    count(each.activeDays),
    count(each.sessions),
    ...[p50, p90, p99].map((column) => (each.users === 0 ? "–" : column![i]!)),
  ]);
  return `${table(COLUMNS, rows, paint)}${outcome(published, countOf(metrics.length, "result"), out)}`;
}

function outcome(published: RollupResult["published"], what: string, out: string): string {
  if (published === null) return "a range of days is not published\n";
  if (published.commit === null) return "already there: nothing to publish\n";
  return `${what} published to ${printable(out)} by run ${published.runId}\n`;
}
