import type { Command } from "commander";
import type { Io } from "./io.ts";

const JSON_OPTION = ["--json", "one JSON document on stdout"] as const;
const DEBUG_OPTION = ["--debug", "stack traces of errors"] as const;
const CONFIG_OPTION = [
  "--config <file>",
  "YAML file with lake settings (default: presence.yaml, if there is one)",
] as const;

// The actions bring YAML and schema with them: loaded when one runs.
const actions = () => import("./metrics-actions.ts");

export function addMetricsCommands(program: Command, io: Io): void {
  const metrics = program
    .command("metrics")
    .summary("show and check definitions of what counts as online")
    .description("Shows and checks definitions of what counts as online.")
    .addHelpText("after", example("metrics list"));

  metrics
    .command("list")
    .description("Lists the built-in definitions.")
    .option(...JSON_OPTION)
    .option(...DEBUG_OPTION)
    .addHelpText("after", example("metrics list"))
    .action(async (flags) => (await actions()).listMetrics(flags, io));

  metrics
    .command("show")
    .description("Shows a definition as the YAML file that would define it: a start for one of your own.")
    .argument("<name>", "built-in name, name@version or YAML file")
    .option(...CONFIG_OPTION)
    .option(...JSON_OPTION)
    .option(...DEBUG_OPTION)
    .addHelpText("after", example("metrics show foreground"))
    .action(async (name, flags) => (await actions()).showMetric(name, flags, io));

  metrics
    .command("check")
    .description("Checks a definition's file against the rules for definitions and the lake settings.")
    .argument("<file>", "YAML file")
    .option(...CONFIG_OPTION)
    .option(...JSON_OPTION)
    .option(...DEBUG_OPTION)
    .addHelpText("after", example("metrics check src/definitions/builtin/foreground@1.yaml"))
    .action(async (file, flags) => (await actions()).checkMetric(file, flags, io));
}

const example = (command: string) => `\nExample:\n  presence-batch ${command}\n`;
