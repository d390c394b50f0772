import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** What one process took, from its start to its end. */
export interface Measured {
  readonly seconds: number;
  /** Of user and system, in all threads, and of processes that it has waited for. */
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
}

const EVERY_MS = 20;
/** Clock ticks of /proc/<pid>/stat: 100 a second on every Linux that Node runs on. */
const TICKS = 100;

/** Runs `node` with arguments to its end; fails where it does. Linux only: memory and CPU come from /proc. */
export function measure(args: readonly string[]): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    let [cpuSeconds, peakRssBytes, errors] = [0, 0, ""];
    const look = () => {
      const usage = usageOf(child.pid ?? 0);
      if (usage === null) return;
      cpuSeconds = Math.max(cpuSeconds, usage.cpuSeconds);
      peakRssBytes = Math.max(peakRssBytes, usage.peakRssBytes);
    };
    const timer = setInterval(look, EVERY_MS);
    child.stderr.on("data", (text) => {
      errors += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      if (code !== 0) reject(new Error(`${args.join(" ")} ended with ${code}: ${errors.slice(-2000)}`));
      else resolve({ seconds: (performance.now() - started) / 1000, cpuSeconds, peakRssBytes });
    });
  });
}

function usageOf(pid: number): Omit<Measured, "seconds"> | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    if (kilobytes === undefined) return null;
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { cpuSeconds: ticks / TICKS, peakRssBytes: Number(kilobytes) * 1024 };
  } catch {
    return null;
  }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
