import { usageError } from "../errors.ts";
import { readOptions } from "../plan/config.ts";
import * as value from "../plan/option-values.ts";
import { didYouMean } from "../plan/suggest.ts";
import { REASONS } from "../quarantine/reasons.ts";
import { paintFor } from "./ansi.ts";
import { csvRows } from "./csv.ts";
import { CommandFailure } from "./failure.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { named } from "./mart-options.ts";
import { quarantineText } from "./quarantine-text.ts";

type Flags = Readonly<Record<string, unknown>>;

const EXAMPLES = 3;
const MAX_LIMIT = 1_000_000_000;

/** `quarantine`: reads the options and shows the report, or the rows. */
export async function quarantineAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const { values, days, s3 } = readOptions({ flags, env: io.env, cwd: io.cwd });
  if (days.kind !== "date")
    throw usageError("--date is missing: which day?", "for example --date 2026-07-29, or yesterday");
  if (values.out === undefined)
    throw usageError("--out is missing: the mart has no default", "for example --out /data/mart");
  if (flags.csv && values.json) throw usageError("--csv does not go with --json", "give one of them");
  const limit =
    flags.limit === undefined ? null : named("limit", () => value.integer(1, MAX_LIMIT)(flags.limit, false));
  const asked = { days, out: values.out, reason: reasonOf(flags.reason), tempDir: values.tempDir ?? null };
  const effects = { nowMs: io.now(), signal, s3 };
  try {
    const { quarantine, quarantinedRows } = await import("../usecases/quarantine.ts");
    signal.throwIfAborted();
    if (flags.csv) {
      let first = true;
      await quarantinedRows({ ...asked, limit }, effects, (columns, rows) => {
        io.stdout(csvRows(columns, rows, first));
        first = false;
      });
      return;
    }
    const report = await quarantine({ ...asked, limit: limit ?? EXAMPLES }, effects);
    if (values.json) printJson(io, "quarantine", report);
    else io.stdout(quarantineText(report, asked.reason, paintFor(io, "stdout"), io.columns));
  } catch (error) {
    throw new CommandFailure(error, [], values.debug ?? false);
  }
}

function reasonOf(given: unknown): string | null {
  if (given === undefined) return null;
  const reason = String(given);
  if (Object.hasOwn(REASONS, reason)) return reason;
  const known = Object.keys(REASONS);
  throw usageError(
    `unknown reason ${JSON.stringify(reason)}`,
    didYouMean(reason, known) ?? `there are: ${known.join(", ")}`,
    {
      key: "--reason",
    },
  );
}
