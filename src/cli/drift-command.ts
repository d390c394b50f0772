import type { Command } from "commander";
import { withComparisonFiles } from "./comparison-flags.ts";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

const AFTER_HELP = `
The realtime file is Parquet, CSV with a header or NDJSON, one row for each
  user       user_id and online_ms (or online_seconds)
  value      dimension, value and online_ms (or channel and online_ms, for example)
  minute     minute_start and online_users (or peak_users)
  member     user_id and score: a sorted set as it was --at an instant
with date, metric and version where it has more than one. Every percentage is of the offline figure. A difference above a
threshold fails (exit 4), above half of one it warns.

Example:
  presence-batch drift --date 2019-03-15 --metric connected --realtime fixtures/lesson/realtime.csv --out out
`;

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export function addDriftCommand(program: Command, io: Io, runtime: Pick<Runtime, "signal">): void {
  const command = program
    .command("drift")
    .summary("how far the realtime layer's figures are from the offline ones, and why")
    .description("Compares the realtime layer's figures of a day with the mart's, and fails where they drift apart.")
    .option("--date <day>", "the business day: YYYY-MM-DD, yesterday or today")
    .option("--realtime <file>", "the realtime layer's figures")
    .option("--out <folder>", "the mart: a folder or s3://bucket/prefix")
    .option("--metric <name>", "the definition: name or name@version (default: what the file says)", collect)
    .option("--lake <folder>", "the event lake, to find reasons in: a folder or s3://bucket/prefix")
    .option("--realtime-tz <zone>", "the zone by whose days the realtime figures are cut (default: not told)")
    .option("--at <instant>", "of user_id and score: when the dump was taken, such as 2026-07-29T12:00:00Z")
    .option("--within <duration>", "of user_id and score: how old a score may be, such as 60s (default: any)")
    .option("--config <file>", "YAML file with options (default: presence.yaml, if there is one)")
    .option("--threads <n>", "threads of the engine")
    .option("--memory-limit <size>", "such as 2GB (default: 60% of what machine or cgroup allows)")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option("--debug", "stack traces of errors")
    .optionsGroup("Thresholds:")
    .option("--tolerance <duration>", "differences that are none, such as 1s (default: 0)")
    .option("--max-total-drift <share>", "of the total, and of each value (default: 0.5%)")
    .option("--max-user-drift <limit>", "what a user has to differ by, both, to be over (default: 5%,60s)")
    .option("--max-users-over <share>", "share of users that may be over (default: 0.1%)")
    .option("--max-minute-drift <limit>", "what a minute has to differ by, both, to be over (default: 5%,10)")
    .option("--max-minutes-over <share>", "share of minutes that may be over (default: 1%)")
    .optionsGroup("What comes out:")
    .option("--worst <n>", "how many of the largest differences (default: 10)")
    .option("--no-record", "keep the comparison out of the mart's history")
    .option("--history", "instead: the comparisons so far, of the days given or of all")
    .option("--from <day>", "with --history: first business day")
    .option("--to <day>", "with --history: last business day, included")
    .option("--last <n>", "with --history: the last n days that are over");
  withS3Flags(withComparisonFiles(command), { staging: true })
    .addHelpText("after", AFTER_HELP)
    .action(async (flags: Record<string, unknown>) => {
      const { driftAction } = await import("./drift-action.ts");
      await driftAction(flags, io, runtime.signal);
    });
}
