import { resolve } from "node:path";
import { diffJunit, diffMarkdown, diffPage } from "../diff/diff-outputs.ts";
import { parseReference, type Reference } from "../diff/reference.ts";
import { percent } from "../drift/words.ts";
import { EXIT, PresenceError, usageError } from "../errors.ts";
import * as value from "../plan/option-values.ts";
import type { DiffOptions } from "../usecases/diff.ts";
import { paintFor } from "./ansi.ts";
import { comparisonFiles } from "./comparison-files.ts";
import { diffText } from "./diff-text.ts";
import { metricOf } from "./drift-options.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, named, needed, readMartOptions, reporting } from "./mart-options.ts";

const MOVERS = 10;
const MAX_MOVERS = 1_000;
const MONTH = 31 * 24 * 3_600_000;

/** `diff`: compares and tells; exit 4 where the total changes by more than was asked for. */
export async function diffAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const merged = readMartOptions(flags, io);
  const options = diffOptions(merged, flags, io.cwd);
  const write = comparisonFiles(flags);
  await reporting(merged, async () => {
    const { diff } = await import("../usecases/diff.ts");
    signal.throwIfAborted();
    const result = await diff(options, { nowMs: io.now(), signal, s3: merged.s3 });
    if (merged.values.json) printJson(io, "diff", result);
    else io.stdout(diffText(result, paintFor(io, "stdout")));
    await write(io, {
      junit: () => diffJunit(result),
      markdown: () => diffMarkdown(result),
      html: (madeBy) => diffPage(result, madeBy),
    });
    if (result.gate?.verdict !== "fail") return;
    const { share } = result.totals.onlineMs;
    throw new PresenceError(
      EXIT.gate,
      `the total changes by ${share === null ? "all of it" : percent(share)}, at most ${percent(result.gate.limit)} may`,
    );
  });
}

function diffOptions(
  { values, days, out }: ReturnType<typeof readMartOptions>,
  flags: Flags,
  cwd: string,
): DiffOptions {
  if (days.kind === "none")
    throw usageError("which business days? none are given", "name them with --date, or --from and --to");
  const side = (name: "base" | "head"): Reference => {
    const asked = needed(flags[name], name, `one side of the comparison`, "--base foreground@1 --head foreground@2");
    const reference = named(name, () => parseReference(value.text("what to compare")(asked, false)));
    const located = (path: string | null) => (path === null || path.startsWith("s3://") ? path : resolve(cwd, path));
    return { ...reference, mart: located(reference.mart), file: located(reference.file) };
  };
  const read = <T>(name: string, reader: value.ValueReader<T>, otherwise: T): T =>
    flags[name] === undefined ? otherwise : named(name, () => reader(flags[name], false));
  return {
    ...{ days, out, base: side("base"), head: side("head") },
    metric: metricOf(flags.metric),
    lake: values.lake ?? null,
    toleranceMs: read("tolerance", value.duration(MONTH), 0),
    maxTotalChange: read<number | null>("maxTotalChange", value.share, null),
    movers: read("movers", value.integer(1, MAX_MOVERS), MOVERS),
    threads: values.threads ?? null,
    memoryLimitBytes: values.memoryLimit ?? null,
    tempDir: values.tempDir ?? null,
  };
}
