import type { Command } from "commander";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

export function addDoctorCommand(program: Command, io: Io, { signal }: Pick<Runtime, "signal">): void {
  const command = program
    .command("doctor")
    .summary("whether lake, mart and machine have what a rebuild needs, and what to mend")
    .description(
      "Checks time-zone data, temp space, memory, credentials, lake, mart and conditional writes; exits with 4 where one fails.",
    )
    .option("--lake <folder>", "the event lake: a folder or s3://bucket/prefix")
    .option("--out <folder>", "the mart: a folder or s3://bucket/prefix")
    .option("--tz <zone>", "business time zone, IANA Area/City or UTC")
    .option("--config <file>", "YAML file with options (default: presence.yaml, if there is one)")
    .option("--memory-limit <size>", "such as 2GB (default: 60% of what machine or cgroup allows)")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option("--json", "one JSON document on stdout")
    .option("--debug", "stack traces of errors");
  withS3Flags(command)
    .addHelpText(
      "after",
      "\nExample:\n  presence-batch doctor --lake fixtures/lesson/lake --out out --tz America/Caracas\n",
    )
    .action(async (flags: Record<string, unknown>) => {
      const { doctorAction } = await import("./doctor-action.ts");
      await doctorAction(flags, io, signal);
    });
}
