import { usageError } from "../errors.ts";
import * as value from "../plan/option-values.ts";
import { dayClock } from "../report/day-clock.ts";
import type { Report } from "../report/report-data.ts";
import { change, hours, percent, span } from "../report/words.ts";
import { type Paint, paintFor, printable } from "./ansi.ts";
import { count } from "./format.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, named, readMartOptions, reporting } from "./mart-options.ts";
import { writeOutput } from "./output-file.ts";
import { type Column, table } from "./table.ts";

/** `report`: a summary on stdout, and a page where a file is named. */
export async function reportAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const merged = readMartOptions(flags, io);
  const { values, days, out } = merged;
  if (days.kind === "none") {
    throw usageError("--date is missing: which days?", "for example --date 2026-07-29, yesterday, or --last 7");
  }
  const metrics = flags.metric === undefined ? null : named("metric", () => value.names(flags.metric, false));
  await reporting(merged, async () => {
    const { report } = await import("../usecases/report.ts");
    signal.throwIfAborted();
    const found = await report(
      { out, days, metrics, tempDir: values.tempDir ?? null },
      { nowMs: io.now(), signal, s3: merged.s3 },
    );
    if (flags.html !== undefined) {
      const { reportPage } = await import("../report/report-page.ts");
      await writeOutput(io, "--html", String(flags.html), reportPage(found, `presence-batch ${io.version().tool}`));
    }
    if (values.json) printJson(io, "report", found);
    else
      io.stdout(
        reportText(found, paintFor(io, "stdout")) +
          (flags.html === undefined ? "" : `page written to ${printable(String(flags.html))}\n`),
      );
  });
}

function reportText(report: Report, paint: Paint): string {
  const { definitions, days, missingDays, quarantine, zone, spanMs, quality } = report;
  const clock = dayClock(zone, spanMs);
  const one = days.length === 1;
  const before = definitions[0]?.before ?? [];
  const columns: Column[] = [
    { title: "definition", align: "left" },
    ...[
      one ? "users" : "user days",
      "hours",
      "per user",
      "most at once",
      "at",
      ...before.map(({ name }) => `on ${name}`),
    ].map((title): Column => ({ title, align: "right" })),
  ];
  const rows = definitions.map(({ metric, version, total, before: past }) => [
    `${metric}@${version}`,
    count(total.users),
    hours(total.onlineMs),
    total.users > 0 ? span(total.onlineMs / total.users) : "–",
    count(total.peakUsers),
    total.peakAtMs === null ? "–" : clock.instant(total.peakAtMs),
    ...past.map(({ figures }) => (figures ? change(total.onlineMs, figures.onlineMs) : "–")),
  ]);
  const title = one ? days[0]! : `${days[0]} to ${days.at(-1)}`;
  const incomplete = quality.filter(({ complete }) => !complete).map(({ day }) => day);
  return [
    `${paint.bold(`${title} (${zone})`)}\n`,
    table(columns, rows, paint),
    `quarantined: ${count(quarantine.quarantined)} of ${count(quarantine.owned)} events (${quarantine.owned > 0 ? percent(quarantine.quarantined / quarantine.owned) : "–"})\n`,
    ...(missingDays.length > 0 ? [paint.yellow(`not built: ${missingDays.join(", ")}\n`)] : []),
    ...(incomplete.length > 0 ? [paint.yellow(`incomplete: ${incomplete.join(", ")}\n`)] : []),
  ].join("");
}
