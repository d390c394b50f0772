import * as value from "../plan/option-values.ts";
import type { RollbackResult } from "../usecases/rollback.ts";
import { printable } from "./ansi.ts";
import { countOf } from "./format.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, named, needed, readMartOptions, reporting } from "./mart-options.ts";

/** `rollback`: its date, metric and commit are flags only; a config file's are those of a rebuild. */
export async function rollbackAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const { date, metric, to, ...others } = flags;
  const merged = readMartOptions(others, io);
  const options = {
    out: merged.out,
    date: String(needed(date, "date", "the day", "--date 2026-07-29")),
    metric: String(needed(metric, "metric", "the definition", "--metric foreground")),
    to: named("to", () => value.integer(1, 99_999_999)(needed(to, "to", "the commit to go back to", "--to 1"), false)),
  };
  await reporting(merged, async () => {
    const { rollback } = await import("../usecases/rollback.ts");
    const result = await rollback(options, { nowMs: io.now(), signal, s3: merged.s3 });
    if (merged.values.json) printJson(io, "rollback", result);
    else io.stdout(report(result));
  });
}

function report({ date, metric, to, run, commit, replaced }: RollbackResult): string {
  if (commit === null) return `${date} ${metric} is that of commit ${to} already (run ${printable(run)})\n`;
  const files = `${countOf(replaced.length, "file")} replaced`;
  return `${date} ${metric} is that of commit ${to} again: commit ${commit}, run ${printable(run)}, ${files}\n`;
}
