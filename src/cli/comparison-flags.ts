import type { Command } from "commander";

/** The flags of commands that write comparisons. */
export function withComparisonFiles(command: Command): Command {
  return command
    .option("--junit <file>", "test cases as JUnit XML")
    .option("--markdown <file>", "for a comment on a pull request or a job's summary")
    .option("--html <file>", "one page with pictures, by itself")
    .option("--json", "one JSON document on stdout");
}
