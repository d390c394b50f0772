import type { Command } from "commander";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

const AFTER_HELP = `
Every option may also stand in the config file in camelCase (missingHours: 1) or in the
environment (PRESENCE_BATCH_MISSING_HOURS=1); flags win over the environment, that over the file.

Example:
  presence-batch rebuild --date 2019-03-15 --lake fixtures/lesson/lake --out out --tz America/Caracas --metric connected,foreground,active
`;

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export function addRebuildCommand(program: Command, io: Io, runtime: Runtime): void {
  const command = program
    .command("rebuild")
    .summary("recompute business days from the event lake and publish them")
    .description(
      "Recomputes online time of whole business days from the event lake and publishes each day whole or not at all.",
    )
    .optionsGroup("Which days:")
    .option("--date <day>", "one business day: YYYY-MM-DD, yesterday or today")
    .option("--from <day>", "first business day")
    .option("--to <day>", "last business day, included")
    .option("--last <n>", "the last n days that are over, yesterday being the last")
    .option("--stale", "of those days, only the missing and stale ones (default: --last 7)")
    .optionsGroup("What:")
    .option("--lake <folder>", "the event lake: a folder or s3://bucket/prefix")
    .option("--out <folder>", "the mart: a folder or s3://bucket/prefix")
    .option("--tz <zone>", "business time zone, IANA Area/City or UTC; there is no default")
    .option(
      "--metric <names>",
      "built-in name, name@version or YAML file; repeatable, comma lists (default: connected,foreground,active)",
      collect,
    )
    .option("--config <file>", "YAML file with options and lake settings (default: presence.yaml, if there is one)")
    .optionsGroup("Bad or missing input:")
    .option("--on-bad-file <what>", "fail, or quarantine and count the good files (default: fail)")
    .option("--missing-hours <n>", "UTC hours of the day that may have no partition (default: 0)")
    .option("--allow-unfinished", "also a day that is not over yet, as incomplete")
    .option("--max-quarantined <share>", "refuse a day with a larger share of quarantined events, such as 5%")
    .option("--force", "rebuild also a day whose source files are gone")
    .optionsGroup("How:")
    .option("--dry-run", "show what would be read, computed and written, and why")
    .option("--engine <name>", "duckdb, on this machine, or spark (default: duckdb)")
    .option("--threads <n>", "threads of the engine")
    .option(
      "--memory-limit <size>",
      "such as 2GB (default: what the day calls for, at most 60% of what machine or cgroup allows)",
    )
    .option("--temp-dir <folder>", "where work in progress lives")
    .option("--profile", "what each step took: seconds, rows, memory, spilled bytes")
    .option("--json", "one JSON document on stdout, everything else on stderr")
    .option("--debug", "stack traces of errors");
  command
    .optionsGroup("On Spark:")
    .option(
      "--spark-submit <command>",
      "how jobs are submitted (default: spark-submit, that of SPARK_HOME if it is set)",
    )
    .option("--spark-dir <folder>", "where jobs and their results lie, a folder or s3://… that Spark reaches, too")
    .option("--emit <folder>", "write the jobs there instead of running them (a folder or s3://…)")
    .option("--collect <folder>", "publish what the jobs of --emit have come to; nothing else is to be said");
  withS3Flags(command, { staging: true })
    .addHelpText("after", AFTER_HELP)
    .action(async (flags: Record<string, unknown>) => {
      const { rebuildAction } = await import("./rebuild-action.ts");
      await rebuildAction(flags, io, runtime);
    });
}
