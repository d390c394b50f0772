import { Command, type Option } from "commander";
import { usageError } from "../errors.ts";
import { paintFor } from "./ansi.ts";
import { addDiffCommand } from "./diff-command.ts";
import { addDoctorCommand } from "./doctor-command.ts";
import { addDriftCommand } from "./drift-command.ts";
import { addExplainCommand } from "./explain-command.ts";
import { addExportCommand } from "./export-command.ts";
import type { Io, Runtime } from "./io.ts";
import { addMartCommands } from "./mart-commands.ts";
import { addMetricsCommands } from "./metrics-command.ts";
import { addOnlineCommand } from "./online-command.ts";
import { addQuarantineCommand } from "./quarantine-command.ts";
import { addRebuildCommand } from "./rebuild-command.ts";
import { addReportCommand } from "./report-command.ts";
import { addRollupCommand } from "./rollup-command.ts";
import { addSampleCommand } from "./sample-command.ts";
import { addVersionOption } from "./version.ts";

/** A command whose help is no answer to an error: what is missing fits in a line. */
class PresenceCommand extends Command {
  override createCommand(name?: string): Command {
    return new PresenceCommand(name);
  }

  // Of two --date the last would silently decide. Options that may be repeated collect their values by a parser of their own.
  override addOption(option: Option): this {
    if ((option.required || option.optional) && !option.parseArg) {
      option.argParser((value: string, before: string | undefined) => {
        if (before === undefined) return value;
        throw usageError(`${option.long} is given twice: ${before} and ${value}`, "Keep one of them.");
      });
    }
    return super.addOption(option);
  }

  override help(context?: unknown): never {
    if ((context as { error?: boolean } | undefined)?.error) {
      const path = commandPath(this);
      const names = this.commands.map((command) => command.name()).join(", ");
      this.error(`error: which command of ${path}? there are: ${names}\nsee ${path} --help`, { exitCode: 2 });
    }
    return super.help();
  }
}

function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}

const DEFAULT_RUNTIME: Runtime = {
  signal: new AbortController().signal,
  loadRebuild: () => import("../usecases/rebuild.ts"),
};

/**
 * The whole command line. It never exits the process: usage errors (already printed) and requests for help throw
 * CommanderErrors, failures of a command whatever it threw.
 */
export function createProgram(io: Io, runtime: Partial<Runtime> = {}): Command {
  const program = new PresenceCommand("presence-batch");
  program
    .description("Recomputes, offline and in batch, how long users were really online.")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout(text),
      writeErr: (text) => io.stderr(text),
      outputError: (text, write) => write(text.replace(/^error:/, paintFor(io, "stderr").red("error:"))),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  addVersionOption(program, io);
  addRebuildCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addMartCommands(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addMetricsCommands(program, io);
  addDoctorCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addSampleCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addExplainCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addQuarantineCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addOnlineCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addDriftCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addRollupCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addReportCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addDiffCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  addExportCommand(program, io, { ...DEFAULT_RUNTIME, ...runtime });
  program.addHelpText(
    "after",
    "\nExample:\n  presence-batch rebuild --date 2019-03-15 --lake fixtures/lesson/lake --out out --tz America/Caracas\n",
  );
  return program;
}
