import { usageError } from "../errors.ts";
import type { Explanation } from "../explain/explanation.ts";
import { type MergedOptions, readOptions } from "../plan/config.ts";
import { SETTING_OPTIONS } from "../plan/option-table.ts";
import * as value from "../plan/option-values.ts";
import type { ExplainOptions } from "../usecases/explain.ts";
import { paintFor, printable } from "./ansi.ts";
import { answerText } from "./explain-head.ts";
import { explainText } from "./explain-text.ts";
import { CommandFailure } from "./failure.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { named } from "./mart-options.ts";
import { writeOutput } from "./output-file.ts";

type Flags = Readonly<Record<string, unknown>>;

const TEXT_LIMIT = 500;
/** Keeps the document, and what is held of it in memory, to some 100 MB whatever a user has sent. */
const JSON_LIMIT = 100_000;
const MAX_LIMIT = 1_000_000;

/** `explain`: reads the options and shows the explanation. */
export async function explainAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const merged = readOptions({ flags, env: io.env, cwd: io.cwd });
  const options = explainOptions(merged, flags);
  if (flags.html !== undefined && flags.html === flags.svg) {
    throw usageError(`--html and --svg name one file: ${flags.svg}`, "Give each a file of its own.");
  }
  try {
    const { explain } = await import("../usecases/explain.ts");
    signal.throwIfAborted();
    const explanation = await explain(options, { nowMs: io.now(), signal, s3: merged.s3 });
    await writePictures(explanation, flags, io);
    if (merged.values.json) printJson(io, "explain", explanation);
    else if (isDrawn(flags)) io.stdout(answerText(explanation, paintFor(io, "stdout")) + writtenText(flags));
    else io.stdout(explainText(explanation, paintFor(io, "stdout"), io.columns));
  } catch (error) {
    throw new CommandFailure(error, [], merged.values.debug ?? false);
  }
}

const PICTURES = ["html", "svg"] as const;
const isDrawn = (flags: Flags): boolean => PICTURES.some((kind) => flags[kind] !== undefined);

async function writePictures(explanation: Explanation, flags: Flags, io: Io): Promise<void> {
  if (!isDrawn(flags)) return;
  const { explainPage, explainPicture } = await import("../report/explain-page.ts");
  if (flags.svg !== undefined) await writeOutput(io, "--svg", String(flags.svg), explainPicture(explanation));
  if (flags.html === undefined) return;
  await writeOutput(io, "--html", String(flags.html), explainPage(explanation, `presence-batch ${io.version().tool}`));
}

const writtenText = (flags: Flags): string =>
  PICTURES.flatMap((kind) =>
    flags[kind] === undefined
      ? []
      : [`${kind === "html" ? "page" : "picture"} written to ${printable(String(flags[kind]))}\n`],
  ).join("");

function explainOptions({ values, days, settings }: MergedOptions, flags: Flags): ExplainOptions {
  if (days.kind !== "date") {
    throw usageError(
      "--date is missing: one day at a time is explained",
      "for example --date 2026-07-29, or yesterday",
    );
  }
  if (values.lake === undefined) throw missing("lake", "the event lake", "--lake /data/lake");
  const all = (values.json ?? false) || isDrawn(flags);
  const given = Object.keys(SETTING_OPTIONS).some((name) => values[name as keyof typeof values] !== undefined);
  return {
    userId: userOf(flags),
    days,
    lake: values.lake,
    out: values.out ?? null,
    zone: values.tz ?? null,
    settings: given ? settings : null,
    metrics: values.metric ?? null,
    fold: !all && flags.allEvents !== true,
    limit: limitOf(flags.limit, all ? JSON_LIMIT : TEXT_LIMIT),
    threads: values.threads ?? null,
    memoryLimitBytes: values.memoryLimit ?? null,
    tempDir: values.tempDir ?? null,
  };
}

function userOf(flags: Flags): string {
  const user = flags.user;
  if (typeof user === "string" && user !== "") return user;
  throw missing("user", "whose time is to be explained", "--user 42");
}

function limitOf(given: unknown, otherwise: number): number {
  return given === undefined ? otherwise : named("limit", () => value.integer(1, MAX_LIMIT)(given, false));
}

const missing = (option: string, what: string, example: string) =>
  usageError(`--${option} is missing: ${what} has no default`, `for example ${example}`);
