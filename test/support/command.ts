import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program from its sources, as a process of its own. `shell` is put before it, such as a ulimit. */
export function runCommand(
  args: readonly string[],
  { env = {}, cwd = ROOT, shell = "" }: { env?: Record<string, string>; cwd?: string; shell?: string } = {},
): Promise<Ran> {
  const loader = import.meta.resolve("tsx");
  const command = [process.execPath, "--import", loader, `${ROOT}src/cli/main.ts`, ...args];
  const child = spawn("bash", ["-c", `${shell} exec "$@"`, "bash", ...command], {
    cwd,
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
