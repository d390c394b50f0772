import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { TwoLakes } from "./two-lakes.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the program as it is installed in `folder`. */
export function startProgram(folder: string, args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [join(folder, "bin/presence-batch.js"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

export function rebuildArgs(
  lakes: Pick<TwoLakes, "out" | "tempDir"> & { lake: { folder: string } },
  metrics: readonly string[],
  more: readonly string[] = [],
): string[] {
  const places = ["--lake", lakes.lake.folder, "--out", lakes.out, "--temp-dir", lakes.tempDir];
  const how = [
    "--tz",
    "UTC",
    "--date",
    "2024-01-15",
    "--metric",
    metrics.join(),
    "--threads",
    "1",
    "--memory-limit",
    "500MB",
  ];
  return ["rebuild", ...places, ...how, "--json", "--force", ...more];
}

/** The same sequence for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
