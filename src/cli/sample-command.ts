import type { Command } from "commander";
import type { Io } from "./io.ts";

const AFTER_HELP = `
The same options give the same files, byte for byte, whatever the threads. With --truth, how long each person
really was connected, in front of the app, active and watching is in <out>/_truth/date=*/, hidden from readers of the lake.

Example:
  presence-batch sample --out sample-lake --users 100 --days 2 --from 2026-07-28 --tz Europe/Berlin --seed 7
`;

export function addSampleCommand(program: Command, io: Io, { signal }: { readonly signal: AbortSignal }): void {
  program
    .command("sample")
    .summary("write a realistic event lake to try things on")
    .description("Writes a realistic event lake: people, devices, bad networks, and a small share of every anomaly.")
    .option("--out <folder>", "the lake to write: a folder that is empty or not there yet")
    .option("--tz <zone>", "business time zone, IANA Area/City or UTC; there is no default")
    .option("--from <day>", "first business day")
    .option("--days <n>", "business days (default: 2)")
    .option("--users <n>", "people, of about 300 events a day each (default: 1000)")
    .option("--seed <n>", "another seed, other people (default: 1)")
    .option("--truth", "also what the people really did")
    .option("--threads <n>", "threads of the engine")
    .option("--memory-limit <size>", "such as 2GB (default: 60% of what machine or cgroup allows)")
    .option("--json", "one JSON document on stdout, everything else on stderr")
    .option("--debug", "stack traces of errors")
    .addHelpText("after", AFTER_HELP)
    .action(async (flags: Record<string, unknown>) => {
      const { sampleAction } = await import("./sample-action.ts");
      await sampleAction(flags, io, signal);
    });
}
