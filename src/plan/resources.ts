import { readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";

/** Share of the memory that the machine or its cgroup allows, which the process may take by default. */
const DEFAULT_SHARE = 0.6;

/** The memory limit in bytes that applies where none was asked for. */
export function defaultMemoryLimit(): number {
  return Math.floor(Math.min(totalmem(), cgroupLimit() ?? Number.POSITIVE_INFINITY) * DEFAULT_SHARE);
}

const LEAST_OF_A_DAY = 2_000_000_000;
/** Below this, DuckDB's threads have too few blocks to sort in. */
const LEAST_OF_A_THREAD = 600_000_000;
/** A day's rows take about three times their files until they are compressed; with more memory a day is no faster. */
const PER_BYTE_OF_FILES = 2.2;

/**
 * The same for a day's rebuild: what files of so many bytes call for, so that the rest of the memory is left to others.
 * `threads` null: all processors.
 */
export function dayMemoryLimit(bytesOfFiles: number, threads: number | null): number {
  const needed = Math.max(
    LEAST_OF_A_DAY,
    LEAST_OF_A_THREAD * (threads ?? availableParallelism()),
    Math.ceil(PER_BYTE_OF_FILES * bytesOfFiles),
  );
  return Math.min(defaultMemoryLimit(), needed);
}

/** What the process's cgroup allows, in bytes; null where there is no limit or no cgroup. */
export function cgroupLimit(read: (path: string) => string | null = readIfThere): number | null {
  const limits: number[] = [];
  for (const folder of cgroupFolders(read("/proc/self/cgroup") ?? "")) {
    const text =
      read(`/sys/fs/cgroup${folder}/memory.max`) ?? read(`/sys/fs/cgroup/memory${folder}/memory.limit_in_bytes`);
    const limit = Number(text?.trim());
    // cgroup v1 says "no limit" with a number near 2^63.
    if (text !== null && Number.isFinite(limit) && limit > 0 && limit < 2 ** 60) limits.push(limit);
  }
  return limits.length === 0 ? null : Math.min(...limits);
}

/** A limit set on any folder above the process's own binds it, too. */
function cgroupFolders(membership: string): string[] {
  const paths = membership.split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    return path !== undefined && (controllers === "" || controllers?.split(",").includes("memory")) ? [path] : [];
  });
  const folders = new Set<string>([""]);
  for (const path of paths) {
    const parts = path.split("/").filter((part) => part !== "");
    for (let depth = 1; depth <= parts.length; depth++) folders.add(`/${parts.slice(0, depth).join("/")}`);
  }
  return [...folders];
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
