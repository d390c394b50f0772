import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";

/** What is submitted: the driver and its jobs, as Spark is to find them. */
export interface Submission {
  /** Words of a shell command, such as `spark-submit --master yarn`; the driver and the jobs are put after them. */
  readonly command: string;
  readonly driver: string;
  readonly jobs: readonly string[];
  /** A file of this machine that takes all that the command prints. */
  readonly log: string;
  readonly signal: AbortSignal;
  /** Told as a job enters a stage, where the driver's output can be seen from here. */
  stage(job: string, stage: string): void;
}

/** What a failed job says of itself. */
export interface JobFailure {
  readonly job: string;
  readonly step: string;
  readonly error: string;
}

export interface Submitted {
  readonly exitCode: number | null;
  readonly failures: readonly JobFailure[];
  /** The last lines that look like an error, for a command that failed before any job. */
  readonly lastErrors: readonly string[];
}

const SAID = /^presence-batch (stage|failed) (\{.*\})$/;
const ERROR_LINE = /\b(error|exception|not found|cannot|could not|refused|denied)\b/i;
const STACK_LINE = /^\s+at |^\s*\.\.\. \d+ more|^Traceback/;
const KEPT_ERRORS = 3;

/** Runs the command and waits for its end. Whether jobs are done only their results tell. */
export async function submit({ command, driver, jobs, log, signal, stage }: Submission): Promise<Submitted> {
  const output = createWriteStream(log, { mode: 0o600 });
  // A process group of its own: the shell, spark-submit and the JVM end together.
  const child = spawn("/bin/sh", ["-c", `exec ${command} "$@"`, "sh", driver, ...jobs], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const failures: JobFailure[] = [];
  const lastErrors: string[] = [];
  const read = (line: string) => {
    output.write(`${line}\n`);
    const [, what, value] = SAID.exec(line) ?? [];
    if (what === "failed") failures.push(JSON.parse(value!) as JobFailure);
    if (what === "stage") {
      const said = JSON.parse(value!) as { job: string; stage: string };
      stage(said.job, said.stage);
    }
    if (what !== undefined || !ERROR_LINE.test(line) || STACK_LINE.test(line)) return;
    lastErrors.push(line.trim());
    if (lastErrors.length > KEPT_ERRORS) lastErrors.shift();
  };
  const readers = [child.stdout, child.stderr].map((input) => createInterface({ input }).on("line", read));
  const stop = () => kill(child.pid);
  signal.addEventListener("abort", stop);
  try {
    const ended = readers.map((reader) => new Promise((resolve) => reader.once("close", resolve)));
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    await Promise.all(ended);
    return { exitCode, failures, lastErrors };
  } finally {
    signal.removeEventListener("abort", stop);
    output.end();
    await finished(output);
  }
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch {
    // It has just ended by itself.
  }
}
