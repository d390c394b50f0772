import { createHash } from "node:crypto";
import type { Digest, ObjectStore } from "../storage/object-store.ts";
import { type Commit, type Part, readCommit } from "./commit.ts";
import { commitKey, manifestKey, runKey } from "./keys.ts";
import type { OutputFile } from "./output-file.ts";

/** One place where the mart is not what its truth says. */
export interface Finding {
  readonly date: string;
  /** Below the mart's root. */
  readonly path: string;
  readonly problem:
    | "commit damaged"
    | "run damaged"
    | "run missing"
    | "published missing"
    | "published differs"
    | "not of the mart"
    | "check failed"
    | "recomputed differs"
    | "not comparable";
  /** One line. */
  readonly detail: string;
  readonly repaired: boolean;
}

export const finding = (date: string, path: string, problem: Finding["problem"], detail: string): Finding => ({
  date,
  path,
  problem,
  detail,
  repaired: false,
});

/** What has been read and compared. */
export interface Extent {
  files: number;
  bytes: number;
}

/** Compares a date's commits with the files of their runs, and the last one with what is published; every byte is read. */
export class DateVerifier {
  readonly #store: ObjectStore;
  readonly #date: string;
  readonly #extent: Extent;
  readonly #findings: Finding[] = [];
  readonly #seen = new Set<string>();

  constructor(store: ObjectStore, date: string, extent: Extent) {
    this.#store = store;
    this.#date = date;
    this.#extent = extent;
  }

  /** `numbers`: of the date's commits, ascending. Gives the findings and the last commit that can be read. */
  async verify(numbers: readonly number[]): Promise<{ findings: readonly Finding[]; head: Commit | null }> {
    let head: Commit | null = null;
    for (const [index, number] of numbers.entries()) {
      if (number !== index + 1 && number !== (numbers[index - 1] ?? 0) + 1) {
        this.#found(commitKey(this.#date, number - 1), "commit damaged", "is missing");
      }
      const commit = await this.#commit(number);
      if (commit === null) continue;
      head = commit;
      const isLast = number === numbers.at(-1);
      for (const part of Object.values(commit.parts)) await this.#run(part, isLast);
    }
    if (head !== null) for (const part of Object.values(head.parts)) await this.#published(part);
    return { findings: this.#findings, head };
  }

  async #commit(number: number): Promise<Commit | null> {
    const key = commitKey(this.#date, number);
    const commit = await readCommit(this.#store, this.#date, number).catch(() => null);
    const sound =
      commit?.date === this.#date &&
      commit.number === number &&
      Object.values(commit.parts ?? {}).every((part) => typeof part?.run === "string" && Array.isArray(part.files));
    if (!sound) this.#found(key, "commit damaged", "is no commit of its date and number");
    return sound ? commit : null;
  }

  /** Runs of former commits may have been removed, but not in part. */
  async #run(part: Part, needed: boolean): Promise<void> {
    const key = manifestKey(part.run);
    const first = !this.#seen.has(key);
    this.#seen.add(key);
    const manifest = await this.#store.get(key);
    if (manifest === null) {
      if (needed && first) this.#found(key, "run missing", "the run that is published has no manifest");
      if (!needed) return;
    } else if (first) {
      this.#extent.files++;
      this.#extent.bytes += manifest.length;
      const sha256 = createHash("sha256").update(manifest).digest("hex");
      if (sha256 !== part.manifest) this.#found(key, "run damaged", "is not the manifest that was committed");
    }
    for (const file of part.files) {
      const path = runKey(part.run, file.path);
      if (this.#seen.has(path)) continue;
      this.#seen.add(path);
      const now = await this.#read(path);
      if (now === null) this.#found(path, "run missing", "is gone");
      else if (!isSame(now, file)) this.#found(path, "run damaged", difference(now, file));
    }
  }

  async #published(part: Part): Promise<void> {
    for (const file of part.files) {
      const now = await this.#read(file.path);
      if (now === null) this.#found(file.path, "published missing", `run ${part.run} has it`);
      else if (!isSame(now, file)) this.#found(file.path, "published differs", difference(now, file));
    }
  }

  async #read(key: string): Promise<Digest | null> {
    const digest = await this.#store.digest(key);
    if (digest !== null) {
      this.#extent.files++;
      this.#extent.bytes += digest.bytes;
    }
    return digest;
  }

  #found(path: string, problem: Finding["problem"], detail: string): void {
    this.#findings.push(finding(this.#date, path, problem, detail));
  }
}

const isSame = (now: Digest, file: OutputFile): boolean => now.bytes === file.bytes && now.sha256 === file.sha256;

function difference(now: Digest, file: OutputFile): string {
  if (now.bytes !== file.bytes) return `has ${now.bytes} bytes, not ${file.bytes}`;
  return `has SHA-256 ${now.sha256.slice(0, 12)}…, not ${file.sha256.slice(0, 12)}…`;
}
