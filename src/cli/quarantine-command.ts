import type { Command } from "commander";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

const AFTER_HELP = `
Example:
  presence-batch quarantine --date 2019-03-15 --out out
`;

export function addQuarantineCommand(program: Command, io: Io, runtime: Pick<Runtime, "signal">): void {
  const command = program
    .command("quarantine")
    .summary("what a built day did not count, why, and what to do about it")
    .description(
      "Shows what a built day has quarantined: by reason, by client, with examples, and what to do about it.",
    )
    .option("--date <day>", "the business day: YYYY-MM-DD, yesterday or today")
    .option("--out <folder>", "the mart: a folder or s3://bucket/prefix")
    .option("--reason <reason>", "this reason only, such as DUPLICATE_EVENT")
    .option("--limit <n>", "examples of each reason (default: 3); with --csv, rows (default: all)")
    .option("--config <file>", "YAML file with options (default: presence.yaml, if there is one)")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option("--csv", "the quarantined rows themselves as CSV (RFC 4180), ids exact")
    .option("--json", "one JSON document on stdout")
    .option("--debug", "stack traces of errors");
  withS3Flags(command)
    .addHelpText("after", AFTER_HELP)
    .action(async (flags: Record<string, unknown>) => {
      const { quarantineAction } = await import("./quarantine-action.ts");
      await quarantineAction(flags, io, runtime.signal);
    });
}
