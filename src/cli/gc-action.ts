import { parseDuration } from "../plan/duration.ts";
import type { GcResult } from "../usecases/gc.ts";
import { printable } from "./ansi.ts";
import { bytes, countOf } from "./format.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, named, readMartOptions, reporting } from "./mart-options.ts";

const DAY_MS = 24 * 3_600_000;
const DEFAULT_GRACE_MS = 7 * DAY_MS;

/** `gc`: removes, or with `--dry-run` only names, what no day needs. */
export async function gcAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const { dryRun, grace, ...others } = flags;
  const merged = readMartOptions(others, io);
  const graceMs = grace === undefined ? DEFAULT_GRACE_MS : named("grace", () => graceOf(String(grace)));
  await reporting(merged, async () => {
    const { gc } = await import("../usecases/gc.ts");
    const tempDir = merged.values.tempDir ?? null;
    const result = await gc(
      { out: merged.out, graceMs, dryRun: dryRun === true, tempDir },
      { nowMs: io.now(), signal, s3: merged.s3 },
    );
    if (merged.values.json) printJson(io, "gc", result);
    else io.stdout(report(result));
  });
}

/** A duration as everywhere, or whole days. */
function graceOf(text: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  return days === undefined ? parseDuration(text) : Number(days) * DAY_MS;
}

function report({ runs, leftovers, tempFolders, repaired, bytes: freed, dryRun }: GcResult): string {
  const lines = [
    ...repaired.map((date) => `${date} was half-published and is mended`),
    ...runs.map(({ run, bytes: size }) => `run ${printable(run)}, ${bytes(size)}`),
    ...leftovers.map((key) => `left by a crash: ${printable(key)}`),
    ...tempFolders.map((folder) => `left by a crash: ${printable(folder)}`),
  ];
  const what = `${countOf(runs.length, "run")} and ${countOf(leftovers.length + tempFolders.length, "leftover")}`;
  const sum = dryRun ? `dry run: ${what} would be removed` : `${what} removed`;
  return [...lines, `${sum}, ${bytes(freed)}`].map((line) => `${line}\n`).join("");
}
