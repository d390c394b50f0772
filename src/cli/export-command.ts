import type { Command } from "commander";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

const AFTER_HELP = `
The rows come with their date, metric and version, in the order of their files, and as the last commit of each date has them.
Into PostgreSQL, each date is replaced within one transaction: readers see the old rows or the new ones, and so does whoever
looks after an export was killed. The table is made where there is none.

Example:
  presence-batch export --table user_daily --date 2019-03-15 --metric foreground --format csv --out out
`;

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export function addExportCommand(program: Command, io: Io, runtime: Pick<Runtime, "signal">): void {
  const command = program
    .command("export")
    .summary("a table's rows as CSV, NDJSON, Arrow or Parquet, or into PostgreSQL")
    .description("Hands the rows of a table of the mart to other tools, ids exact.")
    .option("--table <name>", "user_daily, or any other table of the mart")
    .option("--date <day>", "one business day: YYYY-MM-DD, yesterday or today")
    .option("--last <n>", "the last n days that are over, yesterday being the last")
    .option("--week <week>", "of user_weekly: 2026-W31, or last")
    .option("--month <month>", "of user_monthly: 2026-07, or last")
    .option(
      "--metric <names>",
      "definitions: name@version, or a name for its newest (default: all of the day)",
      collect,
    )
    .option("--format <format>", "csv, ndjson, arrow (IPC file, Feather 2) or parquet")
    .option("--to <target>", "a file, - for stdout, or postgres://user@host/database (default: -)")
    .option("--into <table>", "the table in PostgreSQL, schema.table (default: as --table)")
    .option("--out <folder>", "the mart: a folder or s3://bucket/prefix")
    .option("--config <file>", "YAML file with options (default: presence.yaml, if there is one)")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option("--json", "one JSON document on stdout, where the rows go elsewhere")
    .option("--debug", "stack traces of errors");
  withS3Flags(command)
    .addHelpText("after", AFTER_HELP)
    .action(async (flags: Record<string, unknown>) => {
      const { exportAction } = await import("./export-action.ts");
      await exportAction(flags, io, runtime.signal);
    });
}
