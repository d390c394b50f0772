import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Tells one process from every other, also from one that gets its number later. Null where the system does not say. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Of the machine's start. */
  readonly boot: string | null;
  /** Namespace of process numbers: containers of one host each have their own. */
  readonly namespace: string | null;
  /** When the process began, in the kernel's ticks since boot. */
  readonly start: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    boot: quiet(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: quiet(() => readlinkSync("/proc/self/ns/pid")),
    start: startOf(process.pid),
  };
}

/** True only where the process certainly has ended: of another machine or container nothing is known. */
export function isDead(other: ProcessIdentity, own: ProcessIdentity = ownIdentity()): boolean {
  if (other.host !== own.host) return false;
  if (other.boot !== null && own.boot !== null && other.boot !== own.boot) return true;
  if (other.namespace !== own.namespace) return false;
  if (!isThere(other.pid)) return true;
  const start = startOf(other.pid);
  return start !== null && other.start !== null && start !== other.start;
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** The 22nd field of the process's stat; its name, the 2nd, may hold spaces and parentheses. */
function startOf(pid: number): string | null {
  return quiet(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  });
}

function quiet<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export function parseIdentity(value: unknown): ProcessIdentity | null {
  const given = value as Partial<ProcessIdentity> | null;
  return typeof given?.pid === "number" && typeof given.host === "string" ? (given as ProcessIdentity) : null;
}

/** A process as part of a file's name: enough to tell on its own machine whether it has ended. */
export function identityTag(identity: ProcessIdentity = ownIdentity()): string {
  return `${identity.pid}-${identity.start ?? 0}-${placeOf(identity)}`;
}

/** The process of a tag; null where it is none, or of another machine, container or boot. */
export function identityOfTag(tag: string, own: ProcessIdentity = ownIdentity()): ProcessIdentity | null {
  const [, pid, start, place] = /^(\d+)-(\d+)-([0-9a-f]{8})/.exec(tag) ?? [];
  if (pid === undefined || place !== placeOf(own)) return null;
  return { ...own, pid: Number(pid), start: start === "0" ? null : (start ?? null) };
}

function placeOf({ host, boot, namespace }: ProcessIdentity): string {
  return createHash("sha256")
    .update(JSON.stringify([host, boot, namespace]))
    .digest("hex")
    .slice(0, 8);
}
