import { EXIT, PresenceError } from "../errors.ts";
import type { VerifyResult } from "../usecases/verify.ts";
import { type Paint, paintFor, printable } from "./ansi.ts";
import { bytes, countOf } from "./format.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, neededLake, readMartOptions, reporting } from "./mart-options.ts";

/** `verify`: tells each difference; exit 4 where one is left. */
export async function verifyAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const merged = readMartOptions(flags, io);
  const { values, days, out } = merged;
  // Days of the config file are those of its nightly rebuild; a mart is verified whole unless days are asked for.
  const asked = ["date", "from", "to", "last"].some((name) => flags[name] !== undefined);
  const options = {
    out,
    zone: null,
    metrics: null,
    eventTypes: [],
    days: asked ? days : ({ kind: "none" } as const),
    data: flags.data === true,
    repair: flags.repair === true,
    recompute: flags.recompute === true ? neededLake(values.lake, "which --recompute counts again") : null,
    resources: {
      threads: values.threads ?? null,
      memoryLimitBytes: values.memoryLimit ?? null,
      tempDir: values.tempDir ?? null,
    },
  };
  await reporting(merged, async () => {
    const { verify } = await import("../usecases/verify.ts");
    const live = io.isTTY.stderr && io.env.TERM !== "dumb";
    const result = await verify(options, {
      nowMs: io.now(),
      signal,
      s3: merged.s3,
      progress: (date, index, of) => live && io.stderr(`\r${date} (${index + 1}/${of})\x1b[K`),
    }).finally(() => live && io.stderr("\r\x1b[K"));
    if (values.json) printJson(io, "verify", result);
    else io.stdout(verifyReport(result, paintFor(io, "stdout")));
    const left = result.findings.filter(({ repaired }) => !repaired).length;
    if (left > 0) {
      throw new PresenceError(EXIT.gate, `${countOf(left, "difference")} in ${out}`, {
        hint: options.repair
          ? "What --repair cannot mend, rebuild --date does, from the lake."
          : "Run it with --repair; what that cannot mend, rebuild --date does, from the lake.",
      });
    }
  });
}

function verifyReport({ findings, dates, files, bytes: read }: VerifyResult, paint: Paint): string {
  const lines = findings.map(({ date, path, problem, detail, repaired }) => {
    const line = `${date} ${problem}: ${printable(path)} ${printable(detail)}`;
    return repaired ? `${line} (repaired)` : paint.yellow(line);
  });
  if (dates === 0 && findings.length === 0) return "nothing verified: the mart has no days yet\n";
  const sum = `${countOf(dates, "date")} verified: ${countOf(files, "file")}, ${bytes(read)}, `;
  const found = findings.length === 0 ? "as committed" : countOf(findings.length, "difference");
  return [...lines, `${sum}${found}`].map((line) => `${line}\n`).join("");
}
