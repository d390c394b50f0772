import type { Command } from "commander";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

const AFTER_HELP = `
The page is one file without scripts, and fetches nothing: it can be mailed, archived and printed.

Example:
  presence-batch report --date 2019-03-15 --out out --html report.html
`;

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export function addReportCommand(program: Command, io: Io, runtime: Pick<Runtime, "signal">): void {
  const command = program
    .command("report")
    .summary("a day or several as one page: curve, peak, definitions, distribution, quarantine, quality")
    .description("Shows what the mart says of a day or of several, held against the day and the week before.")
    .option("--date <day>", "one business day: YYYY-MM-DD, yesterday or today")
    .option("--from <day>", "first business day")
    .option("--to <day>", "last business day, included")
    .option("--last <n>", "the last n days that are over, yesterday being the last")
    .option("--html <file>", "write a page (default: a summary on stdout)")
    .option(
      "--metric <names>",
      "definitions, the first one in detail (default: all of the days, foreground in detail)",
      collect,
    )
    .option("--out <folder>", "the mart: a folder or s3://bucket/prefix")
    .option("--config <file>", "YAML file with options (default: presence.yaml, if there is one)")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option("--json", "one JSON document on stdout, with all that the page shows")
    .option("--debug", "stack traces of errors");
  withS3Flags(command)
    .addHelpText("after", AFTER_HELP)
    .action(async (flags: Record<string, unknown>) => {
      const { reportAction } = await import("./report-action.ts");
      await reportAction(flags, io, runtime.signal);
    });
}
