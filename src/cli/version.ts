import { type Command, CommanderError } from "commander";
import { RULES } from "../pipeline/rules.ts";
import { engineVersion, toolVersion } from "../versions.ts";
import type { Io, VersionInfo } from "./io.ts";

/** Versions of all that a number depends on. */
export function versionInfo(): VersionInfo {
  return {
    tool: toolVersion(),
    engine: engineVersion(),
    rules: RULES,
    // plan/days.ts knows the same, but brings the whole calendar with it.
    timeZoneData: process.versions.tz ?? "unknown",
  };
}

/** `--version`. commander's own wants the text before it is asked for. */
export function addVersionOption(program: Command, io: Io): void {
  program.option("-V, --version", "show the versions of tool, engine, rules and time-zone data");
  program.on("option:version", () => {
    const { tool, engine, rules, timeZoneData } = io.version();
    io.stdout(`presence-batch ${tool} (${engine}, rules ${rules}, time-zone data ${timeZoneData})\n`);
    throw new CommanderError(0, "commander.version", tool);
  });
}
