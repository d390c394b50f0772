import { driftJunit, driftMarkdown, driftPage } from "../drift/drift-outputs.ts";
import type { DriftResult } from "../drift/drift-result.ts";
import { measured } from "../drift/words.ts";
import { EXIT, inputError, PresenceError, usageError } from "../errors.ts";
import { paintFor } from "./ansi.ts";
import { comparisonFiles } from "./comparison-files.ts";
import { driftOptions, metricOf } from "./drift-options.ts";
import { driftHistoryText, driftText } from "./drift-text.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, readMartOptions, reporting } from "./mart-options.ts";

/** `drift`: compares and tells; exit 4 where a threshold is exceeded, 3 where the two sides are not of the same. */
export async function driftAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const merged = readMartOptions(flags, io);
  const effects = { nowMs: io.now(), signal, s3: merged.s3 };
  if (flags.history === true) return historyAction(flags, merged, io, effects);
  const options = driftOptions(merged, flags, io.cwd);
  const write = comparisonFiles(flags);
  await reporting(merged, async () => {
    const { drift } = await import("../usecases/drift.ts");
    signal.throwIfAborted();
    const { result, recordedAs, warnings } = await drift(options, effects);
    for (const warning of warnings) io.stderr(`warning: ${warning}\n`);
    if (merged.values.json) printJson(io, "drift", { ...result, recordedAs });
    else io.stdout(driftText(result, paintFor(io, "stdout")));
    await write(io, {
      junit: () => driftJunit(result),
      markdown: () => driftMarkdown(result),
      html: (madeBy) => driftPage(result, madeBy),
    });
    conclude(result);
  });
}

function conclude({ verdict, notComparable, compared }: DriftResult): void {
  if (verdict === "not comparable") {
    throw inputError(`not comparable: ${notComparable}`, "Compare figures of the same definition, version and day.");
  }
  const failed = (compared?.gates ?? []).filter((gate) => gate.verdict === "fail");
  if (failed.length === 0) return;
  throw new PresenceError(EXIT.gate, failed.map((gate) => `${gate.says}: ${measured(gate)}`).join("; "), {
    hint: "Look at the worst ones; presence-batch explain shows the offline figure of a user event by event.",
  });
}

async function historyAction(
  flags: Flags,
  merged: ReturnType<typeof readMartOptions>,
  io: Io,
  effects: { nowMs: number; signal: AbortSignal; s3: typeof merged.s3 },
): Promise<void> {
  if (flags.realtime !== undefined) throw usageError("--realtime does not go with --history", "give one of them");
  await reporting(merged, async () => {
    const { driftHistory } = await import("../usecases/drift-history.ts");
    const options = { out: merged.out, days: merged.days, metric: metricOf(flags.metric) };
    const history = await driftHistory(options, effects);
    if (merged.values.json) printJson(io, "drift-history", history);
    else io.stdout(driftHistoryText(history, paintFor(io, "stdout")));
  });
}
