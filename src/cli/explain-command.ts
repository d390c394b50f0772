import type { Command } from "commander";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

const AFTER_HELP = `
With --out, zone, lake settings and definitions are the mart's own, and its figure stands beside the explained one.
Rules are quoted as [R14]: what counts as online time.

Example:
  presence-batch explain --date 2019-03-15 --user u07 --metric active --lake fixtures/lesson/lake --tz America/Caracas
`;

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export function addExplainCommand(program: Command, io: Io, runtime: Pick<Runtime, "signal">): void {
  const command = program
    .command("explain")
    .summary("why a user has the online time that the mart says, event by event")
    .description("Explains one user's online time on one day: every event and its verdict, every slot, and the sum.")
    .option("--date <day>", "the business day: YYYY-MM-DD, yesterday or today")
    .option("--user <id>", "the user's id, exactly as it is in the lake")
    .option("--lake <folder>", "the event lake: a folder or s3://bucket/prefix")
    .option("--out <folder>", "the mart to compare with: a folder or s3://bucket/prefix")
    .option("--tz <zone>", "business time zone, IANA Area/City or UTC (default: the mart's)")
    .option("--metric <names>", "definition, as in rebuild; repeatable, comma lists (default: foreground)", collect)
    .option("--config <file>", "YAML file with options and lake settings (default: presence.yaml, if there is one)")
    .option("--limit <n>", "most events to list (default: 500, with --json 100000)")
    .option("--all-events", "list also events that only repeat the one before")
    .option("--threads <n>", "threads of the engine")
    .option("--memory-limit <size>", "such as 2GB (default: 60% of what machine or cgroup allows)")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option("--html <file>", "write a page: a picture for each definition, with its events in words")
    .option("--svg <file>", "write the picture alone, of the first definition")
    .option("--json", "one JSON document on stdout, with every event up to the limit")
    .option("--debug", "stack traces of errors");
  withS3Flags(command, { staging: true })
    .addHelpText("after", AFTER_HELP)
    .action(async (flags: Record<string, unknown>) => {
      const { explainAction } = await import("./explain-action.ts");
      await explainAction(flags, io, runtime.signal);
    });
}
