import type { Command } from "commander";
import { withComparisonFiles } from "./comparison-flags.ts";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

const AFTER_HELP = `
A side is a definition of the mart (foreground, foreground@2), a definition's file (./new.yaml: counted from --lake, published
nowhere), the number of a commit of the date, or another mart (./mart, s3://…, ./mart#foreground@2). Every percentage is of base.

Example:
  presence-batch diff --base connected --head foreground --date 2019-03-15 --out out
`;

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export function addDiffCommand(program: Command, io: Io, runtime: Pick<Runtime, "signal">): void {
  const command = program
    .command("diff")
    .summary("what another definition, commit or mart changes")
    .description(
      "Compares two definitions, two commits of a date, or two marts: totals, users, dimensions, top movers.",
    )
    .option("--base <what>", "what is compared with")
    .option("--head <what>", "what is compared")
    .option("--out <folder>", "the mart: a folder or s3://bucket/prefix")
    .option("--metric <name>", "the definition of sides that name none", collect)
    .option("--date <day>", "one business day: YYYY-MM-DD, yesterday or today")
    .option("--from <day>", "first business day")
    .option("--to <day>", "last business day, included")
    .option("--last <n>", "the last n days that are over, yesterday being the last")
    .option("--lake <folder>", "the event lake, for a definition's file")
    .option("--tolerance <duration>", "changes that are none, such as 1s (default: 0)")
    .option("--max-total-change <share>", "exit with 4 where the total changes by more, such as 0.5% or 0%")
    .option("--config <file>", "YAML file with options (default: presence.yaml, if there is one)")
    .option("--threads <n>", "threads of the engine")
    .option("--memory-limit <size>", "such as 2GB (default: 60% of what machine or cgroup allows)")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option("--debug", "stack traces of errors")
    .optionsGroup("What comes out:")
    .option("--movers <n>", "how many of the largest changes (default: 10)");
  withS3Flags(withComparisonFiles(command), { staging: true })
    .addHelpText("after", AFTER_HELP)
    .action(async (flags: Record<string, unknown>) => {
      const { diffAction } = await import("./diff-action.ts");
      await diffAction(flags, io, runtime.signal);
    });
}
