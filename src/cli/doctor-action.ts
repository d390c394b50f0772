import { EXIT, PresenceError } from "../errors.ts";
import { readOptions } from "../plan/config.ts";
import type { DoctorCheck, DoctorResult } from "../usecases/doctor.ts";
import { type Paint, paintFor, printable } from "./ansi.ts";
import { countOf } from "./format.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, reporting } from "./mart-options.ts";

/** `doctor`: says what is wrong and how to mend it; exit 4 where a rebuild could not work. */
export async function doctorAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const merged = readOptions({ flags, env: io.env, cwd: io.cwd });
  const { values, s3 } = merged;
  await reporting(merged, async () => {
    const { doctor } = await import("../usecases/doctor.ts");
    const options = {
      lake: values.lake ?? null,
      out: values.out ?? null,
      zone: values.tz ?? null,
      tempDir: values.tempDir ?? null,
      memoryLimitBytes: values.memoryLimit ?? null,
    };
    const result = await doctor(options, { nowMs: io.now(), signal, s3 });
    if (values.json) printJson(io, "doctor", result);
    else io.stdout(doctorReport(result, paintFor(io, "stdout")));
    if (result.failed > 0) throw new PresenceError(EXIT.gate, `${countOf(result.failed, "check")} failed`);
  });
}

function doctorReport({ checks }: DoctorResult, paint: Paint): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.flatMap(({ check, state, says, mend }) => [
    `${painted(paint, state)}  ${check.padEnd(width)}  ${printable(says)}`,
    ...(mend === null ? [] : [`${" ".repeat(width + 11)}${printable(mend)}`]),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

function painted(paint: Paint, state: DoctorCheck["state"]): string {
  const text = state.padEnd(7);
  return state === "failed" ? paint.red(text) : state === "warning" ? paint.yellow(text) : text;
}
