import { spawn } from "node:child_process";
import { join } from "node:path";
import { compiledProgram } from "./compiled.ts";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the compiled program as a process of its own. `shell` is put before it, such as a ulimit. */
export function runCommand(
  args: readonly string[],
  { env = {}, cwd, shell = "" }: { env?: Record<string, string>; cwd?: string; shell?: string } = {},
): Promise<Ran> {
  const program = compiledProgram();
  const command = [process.execPath, join(program, "bin/presence-batch.js"), ...args];
  const child = spawn("bash", ["-c", `${shell} exec "$@"`, "bash", ...command], {
    cwd: cwd ?? program,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ran = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    ran.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    ran.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...ran }));
  });
}
