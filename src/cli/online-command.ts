import type { Command } from "commander";
import type { Io, Runtime } from "./io.ts";
import { withS3Flags } from "./s3-flags.ts";

const AFTER_HELP = `
Counted from the lake with all that is known of the day: whom a realtime layer still showed although the client had gone is not
online here, unless the definition says so (last-seen-60s, ttl-300s). With --out, zone, lake settings and definitions are the
mart's own, and its users stand beside the counted ones.

Example:
  presence-batch online --at 2019-03-15T12:05:00-04:00 --lake fixtures/lesson/lake --tz America/Caracas
`;

const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

export function addOnlineCommand(program: Command, io: Io, runtime: Pick<Runtime, "signal">): void {
  const command = program
    .command("online")
    .summary("who was online at an instant, by last activity")
    .description("Lists the users who were online at an instant under a definition, those seen last first.")
    .option("--at <instant>", "the instant, with its offset: 2026-07-29T20:00:00+08:00")
    .option("--lake <folder>", "the event lake: a folder or s3://bucket/prefix")
    .option("--out <folder>", "the mart to compare with: a folder or s3://bucket/prefix")
    .option("--tz <zone>", "business time zone, IANA Area/City or UTC (default: the mart's)")
    .option("--metric <name>", "one definition, as in rebuild (default: foreground)", collect)
    .option("--config <file>", "YAML file with options and lake settings (default: presence.yaml, if there is one)")
    .option("--limit <n>", "most users to list (default: 50, with --json 100000)")
    .option("--threads <n>", "threads of the engine")
    .option("--memory-limit <size>", "such as 2GB (default: 60% of what machine or cgroup allows)")
    .option("--temp-dir <folder>", "where work in progress lives")
    .option("--json", "one JSON document on stdout")
    .option("--debug", "stack traces of errors");
  withS3Flags(command, { staging: true })
    .addHelpText("after", AFTER_HELP)
    .action(async (flags: Record<string, unknown>) => {
      const { onlineAction } = await import("./online-action.ts");
      await onlineAction(flags, io, runtime.signal);
    });
}
