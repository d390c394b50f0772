import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiledProgram } from "../support/compiled.ts";
import type { Ran } from "./fakes.ts";

/** The package as it is installed, compiled from the sources of now, in a folder of its own. */
export interface BuiltProgram {
  readonly folder: string;
  /** Puts a module's JavaScript in the place of the compiled one, `usecases/rebuild.js`. */
  replace(module: string, text: string): void;
  start(args: readonly string[], options?: StartOptions): Running;
  remove(): void;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

export interface Running {
  readonly done: Promise<Ran>;
  /** Resolves when stderr holds the text. */
  told(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** As `| head` does when it has seen enough. */
  closeStdout(): void;
}

export function buildProgram(): BuiltProgram {
  const folder = mkdtempSync(join(tmpdir(), "built-program-"));
  cpSync(compiledProgram(), folder, { recursive: true, verbatimSymlinks: true });
  return {
    folder,
    replace: (module, text) => writeFileSync(join(folder, "dist", module), text),
    start: (args, options) => start(folder, args, options ?? {}),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function start(folder: string, args: readonly string[], { env, nodeArgs }: StartOptions): Running {
  const cwd = join(folder, "cwd");
  mkdirSync(cwd, { recursive: true });
  const child = spawn(process.execPath, [...(nodeArgs ?? []), join(folder, "bin/presence-batch.js"), ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ran = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    ran.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    ran.stderr += text;
  });
  const done = new Promise<Ran>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      signal ? reject(new Error(`died of ${signal}`)) : resolve({ code: code!, ...ran }),
    );
  });
  return {
    done,
    told: (text) =>
      new Promise((resolve, reject) => {
        const look = () => ran.stderr.includes(text) && resolve();
        child.stderr.on("data", look);
        child.on("close", () => reject(new Error(`never told ${text}: ${ran.stderr}`)));
        look();
      }),
    kill: (signal) => void child.kill(signal),
    closeStdout: () => void child.stdout.destroy(),
  };
}
