import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LocalFiles, SYSTEM_FILES } from "../../src/storage/local-files.ts";
import { filesBelow } from "./mart-tools.ts";

/**
 * `fail`: the n-th call fails and has no effect, the process lives on. `die-before`, `die-after`: so does the n-th call, without or
 * with its effect, and all calls after it, as if the process had been killed. `half`: a write is cut short, and the process dies.
 */
export type Fault = "fail" | "die-before" | "die-after" | "half";

const CHANGES = ["write", "sync", "link", "rename", "copyFile", "unlink", "mkdir", "rmdir"] as const;

export class Killed extends Error {}

/** The file system of which one changing call fails. */
export function faultyFiles(at: number, fault: Fault, code = "EIO"): LocalFiles & { readonly calls: () => number } {
  let calls = 0;
  let dead = false;
  const error = (path: unknown) =>
    fault === "fail"
      ? Object.assign(new Error(`${code}: injected`), { code, path: String(path) })
      : new Killed("killed");
  const wrapped: Record<string, unknown> = { ...SYSTEM_FILES, calls: () => calls };
  for (const [name, call] of Object.entries(SYSTEM_FILES) as [
    keyof LocalFiles,
    (...args: unknown[]) => Promise<unknown>,
  ][]) {
    wrapped[name] = async (...args: unknown[]) => {
      if (dead) throw new Killed("killed");
      if (!CHANGES.some((change) => change === name)) return call(...args);
      if (++calls !== at) return call(...args);
      dead = fault !== "fail";
      if (fault === "die-after") await call(...args);
      if (fault === "half" && name === "write") await call(args[0], String(args[1]).slice(0, 20));
      throw error(args[0]);
    };
  }
  return wrapped as unknown as LocalFiles & { readonly calls: () => number };
}

/** Makes the marks in a mart those of a process that has ended, as after a real kill. */
export function endMarkingProcesses(out: string): void {
  for (const path of filesBelow(join(out, "_presence/publishing"))) {
    const file = join(out, "_presence/publishing", path);
    try {
      const mark = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...mark, process: { ...mark.process, start: "1" } }));
    } catch {
      // A mark that was cut short is nobody's.
    }
  }
}
