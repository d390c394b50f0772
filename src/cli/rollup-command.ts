import type { Command } from "commander";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

const AFTER_HELP = `
Weeks are ISO weeks (Monday to Sunday) of the business zone's calendar. They and months are published as user_weekly and
user_monthly, in the mart's own way: status tells when a day of theirs has changed, verify --data whether they are the sums of
their days. A range of days is told only. Run again, it does nothing where no day has changed.

Example:
  presence-batch rollup --month 2019-03 --metric foreground --missing-days 30 --out out
`;

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export function addRollupCommand(program: Command, io: Io, runtime: Pick<Runtime, "signal">): void {
  const command = program
    .command("rollup")
    .summary("a week, a month or any days together: by user, and in figures")
    .description("Adds up built days by user: online time, active days, sessions, longest day.")
    .option("--week <week>", "an ISO week: 2026-W31, or last")
    .option("--month <month>", "a month: 2026-07, or last")
    .option("--from <day>", "first business day of a range")
    .option("--to <day>", "last business day of a range, included")
    .option("--last <n>", "the last n days that are over, as a range")
    .option(
      "--metric <names>",
      "definitions: name, or name@version; repeatable, comma lists (default: all of the days)",
      collect,
    )
    .option("--missing-days <n>", "go on although so many days are missing (default: 0); the result is incomplete")
    .option("--out <folder>", "the mart: a folder or s3://bucket/prefix")
    .option("--config <file>", "YAML file with options (default: presence.yaml, if there is one)")
    .option("--threads <n>", "threads of the engine")
    .option("--memory-limit <size>", "such as 2GB (default: 60% of what machine or cgroup allows)")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option("--json", "one JSON document on stdout")
    .option("--debug", "stack traces of errors");
  withS3Flags(command)
    .addHelpText("after", AFTER_HELP)
    .action(async (flags: Record<string, unknown>) => {
      const { rollupAction } = await import("./rollup-action.ts");
      await rollupAction(flags, io, runtime.signal);
    });
}
