import { EXIT } from "../errors.ts";
import { reportFailure } from "./failure.ts";
import type { Io } from "./io.ts";
import { run, wantsDebug } from "./run.ts";
import { stopOnSignals } from "./signals.ts";
import { systemFailure } from "./system-failure.ts";
import { versionInfo } from "./version.ts";

const args = process.argv.slice(2);

// Its version is pinned to one for this Node.js; that later ones are not is nothing that a user could mend.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";

const io: Io = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  pipe: (chunk) => new Promise((resolve) => process.stdout.write(chunk, (error) => resolve(!error))),
  env: process.env,
  cwd: process.cwd(),
  isTTY: { stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true },
  columns: (process.stdout.isTTY ? process.stdout.columns : process.stderr.columns) || 80,
  now: () => Date.now(),
  version: versionInfo,
};

// A reader that has seen enough (| head) is no failure; a disk that is full is.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED") return;
  process.exitCode = EXIT.unexpected;
  io.stderr(`error: cannot write the output: ${systemFailure(error)?.message ?? error.message}\n`);
});
process.stderr.on("error", () => {});

// The line of progress that a run which could not end by itself has left.
const leaveLiveLine = () => {
  if (io.isTTY.stderr) io.stderr("\r\x1b[K");
};

let told = false;

const signal = stopOnSignals(process, (stop) => {
  leaveLiveLine();
  if (!told) io.stderr(`${stop.message} before the run had put its work away: days told as published are whole\n`);
  process.exit(stop.exitCode);
});

process.on("uncaughtException", (error) => {
  leaveLiveLine();
  process.exit(reportFailure(error, io, { debug: wantsDebug(args, io), signal }));
});

const code = await run(args, io, { signal });
told = true;
// Not process.exit: what is still on its way into a pipe would be cut off.
process.exitCode = code === EXIT.done ? (process.exitCode ?? code) : code;
