import type { Command } from "commander";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

const CONFIG = [
  "--config <file>",
  "YAML file with options and lake settings (default: presence.yaml, if there is one)",
] as const;
const OUT = ["--out <folder>", "the mart: a folder or s3://bucket/prefix"] as const;
const JSON_OPTION = ["--json", "one JSON document on stdout"] as const;
const DEBUG = ["--debug", "stack traces of errors"] as const;

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

/** The commands that look after a mart. Their actions bring the stores with them and are loaded when one runs. */
export function addMartCommands(program: Command, io: Io, { signal }: Pick<Runtime, "signal">): void {
  addStatus(program, io, signal);
  addVerify(program, io, signal);
  addRollback(program, io, signal);
  addGc(program, io, signal);
  for (const command of program.commands) {
    const name = command.name();
    if (["status", "verify", "rollback", "gc"].includes(name)) withS3Flags(command, { staging: name === "verify" });
  }
}

function withDays(command: Command): Command {
  return command
    .option("--date <day>", "one business day: YYYY-MM-DD, yesterday or today")
    .option("--from <day>", "first business day")
    .option("--to <day>", "last business day, included")
    .option("--last <n>", "the last n days that are over, yesterday being the last");
}

function addStatus(program: Command, io: Io, signal: AbortSignal): void {
  withDays(
    program
      .command("status")
      .summary("which days are current, missing, stale, incomplete or half-published")
      .description(
        "Compares the lake's files with what each day of each definition was built from (default: --last 7).",
      ),
  )
    .option(...OUT)
    .option("--lake <folder>", "the event lake: a folder or s3://bucket/prefix")
    .option("--tz <zone>", "business time zone (default: the mart's)")
    .option("--metric <names>", "definitions, as in rebuild (default: all that the mart has)", collect)
    .option(...CONFIG)
    .option("--check", "exit with 4 where there is something for rebuild --stale to do")
    .option(...JSON_OPTION)
    .option(...DEBUG)
    .addHelpText(
      "after",
      "\nExample:\n  presence-batch status --date 2019-03-15 --lake fixtures/lesson/lake --out out --check\n",
    )
    .action(async (flags: Record<string, unknown>) => {
      const { statusAction } = await import("./status-action.ts");
      await statusAction(flags, io, signal);
    });
}

function addVerify(program: Command, io: Io, signal: AbortSignal): void {
  withDays(
    program
      .command("verify")
      .summary("compare every byte of the mart with what was committed")
      .description(
        "Reads the files of the mart and compares them with its commits and manifests (default: all dates).",
      ),
  )
    .option(...OUT)
    .option("--data", "run the checks C1 to C8 over the published tables, too")
    .option("--repair", "publish again what is not as committed")
    .option("--recompute", "count each date again from the lake and compare, byte by byte")
    .option("--lake <folder>", "the event lake, for --recompute")
    .option(...CONFIG)
    .option("--threads <n>", "threads of the engine")
    .option("--memory-limit <size>", "such as 2GB (default: 60% of what machine or cgroup allows)")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option(...JSON_OPTION)
    .option(...DEBUG)
    .addHelpText("after", "\nExample:\n  presence-batch verify --date 2019-03-15 --out out --data\n")
    .action(async (flags: Record<string, unknown>) => {
      const { verifyAction } = await import("./verify-action.ts");
      await verifyAction(flags, io, signal);
    });
}

function addRollback(program: Command, io: Io, signal: AbortSignal): void {
  program
    .command("rollback")
    .summary("publish an earlier result of a day and definition again")
    .description("Publishes a definition's result of an earlier commit again, as a new commit.")
    .option("--date <day>", "the business day: YYYY-MM-DD, yesterday or today; or a rollup's week or month")
    .option("--metric <name>", "the definition: name@version, or a name for its newest version")
    .option("--to <n>", "number of the commit to go back to, as in _presence/commits/date=…/")
    .option(...OUT)
    .option(...CONFIG)
    .option(...JSON_OPTION)
    .option(...DEBUG)
    .addHelpText(
      "after",
      "\nExample:\n  presence-batch rollback --date 2019-03-15 --metric foreground --to 1 --out out\n",
    )
    .action(async (flags: Record<string, unknown>) => {
      const { rollbackAction } = await import("./rollback-action.ts");
      await rollbackAction(flags, io, signal);
    });
}

function addGc(program: Command, io: Io, signal: AbortSignal): void {
  program
    .command("gc")
    .summary("remove runs that no day is taken from, and what crashes have left")
    .description("Removes runs that no last commit has named for the length of the grace. What is published stays.")
    .option(...OUT)
    .option("--grace <duration>", "how long a replaced run stays, to go back to (default: 7d)")
    .option("--dry-run", "only tell what would be removed")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option(...CONFIG)
    .option(...JSON_OPTION)
    .option(...DEBUG)
    .addHelpText("after", "\nExample:\n  presence-batch gc --out out --grace 7d --dry-run\n")
    .action(async (flags: Record<string, unknown>) => {
      const { gcAction } = await import("./gc-action.ts");
      await gcAction(flags, io, signal);
    });
}
