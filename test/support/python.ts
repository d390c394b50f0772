import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../cli/fakes.ts";

/** The Python of `.ci/python-packages`, with the readers that analysts use. */
const PYTHON = join(ROOT, "node_modules/.cache/python/bin/python");

/** Runs a Python program with arguments and gives what it prints, as JSON. */
export function python(program: string, ...args: string[]): unknown {
  if (!existsSync(PYTHON)) throw new Error("no Python with polars and pandas: run .ci/python-packages");
  return JSON.parse(execFileSync(PYTHON, ["-c", program, ...args], { encoding: "utf8", maxBuffer: 1e8 }));
}
