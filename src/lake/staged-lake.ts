import { setMaxListeners } from "node:events";
import { mkdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, inputError, PresenceError } from "../errors.ts";
import type { FileAccess } from "./file-access.ts";
import type { LakeFile } from "./lake-file.ts";
import type { StagedItem } from "./staged-item.ts";
import { StagingArea } from "./staging-area.ts";

/** Brings files of a lake to this machine, each as exactly the listed version; throws exit 3 where that is gone. */
export interface Fetcher {
  whole(file: LakeFile, path: string): Promise<void>;
  /** A file of the same length that has the first bytes and the footer only. False: its footer is larger than `ENDS_BYTES`. */
  ends(file: LakeFile, path: string): Promise<boolean>;
}

export interface StagingOptions {
  /** Private folder for the files, absolute. */
  readonly folder: string;
  /** Most bytes that they may have at once; null for half of what the disk has free. */
  readonly limitBytes: number | null;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** What is fetched of a file's end at most, and the smallest file for which that is worth requests of its own. */
export const ENDS_BYTES = 131_072;
const ENDS_WORTHWHILE = 1_048_576;
const ENDS = ".ends";

/** The files of a run's days, brought to this machine as they are needed, within a budget; what later days read stays while there is room. */
export class StagedLake {
  readonly #days: readonly (readonly LakeFile[])[];
  readonly #options: StagingOptions;
  readonly #budget: number;
  readonly #fetcher: Fetcher;
  readonly #area: StagingArea;
  readonly #stop: AbortController;
  readonly #items = new Map<string, StagedItem>();

  /** `days`: the files of each day of the run, in the order in which they are opened. */
  static async open(
    days: readonly (readonly LakeFile[])[],
    options: StagingOptions,
    fetcher: (signal: AbortSignal) => Fetcher,
  ): Promise<StagedLake> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(options.folder);
    // The engine's own temporary data needs room, too.
    const budget = Math.min(options.limitBytes ?? (bavail * bsize) / 2, bavail * bsize);
    return new StagedLake(days, options, budget, fetcher);
  }

  private constructor(
    days: readonly (readonly LakeFile[])[],
    options: StagingOptions,
    budget: number,
    fetcher: (signal: AbortSignal) => Fetcher,
  ) {
    this.#days = days;
    this.#options = options;
    this.#budget = budget;
    this.#stop = new AbortController();
    const signal = AbortSignal.any([options.signal, this.#stop.signal]);
    setMaxListeners(0, signal);
    this.#fetcher = fetcher(signal);
    this.#area = new StagingArea(budget, options.concurrency, signal);
    for (const [day, files] of days.entries()) for (const file of files) this.#item(file, day);
  }

  /**
   * A day's files with the paths at which they will lie, and the access to them. Throws where one of them is larger than the budget.
   * `ends`: no more than the footers will be read, so that nothing is fetched ahead.
   */
  openDay(day: number, what: "whole" | "ends" = "whole"): { readonly files: LakeFile[]; readonly access: FileAccess } {
    const files = this.#days[day]!.map((file) => ({ ...file, path: this.#itemOf(file).path }));
    if (what === "whole") this.#refuseTooLarge(files);
    const ahead = what === "whole" ? this.#days.slice(day, day + 2).flat() : [];
    this.#area.begin(day, [...new Set(ahead.map((file) => this.#itemOf(file)))]);
    return {
      files,
      access: {
        paths: (asked) => asked.flatMap(({ path }) => [path, path + ENDS]),
        read: (asked, work) => this.#read(asked, work),
        readEnds: (asked, work) => this.#readEnds(asked, work),
      },
    };
  }

  /** Stops what is being fetched. The folder can then be removed. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("the lake was closed"));
    await this.#area.settled();
  }

  async #read<F extends LakeFile>(files: readonly F[], work: (batch: readonly F[]) => Promise<void>): Promise<void> {
    if (files.length === 0) return work([]);
    const items = files.map((file) => this.#itemOf(file));
    await this.#area.read(items, (batch) => work(files.filter((_, index) => batch.has(items[index]!))));
  }

  async #readEnds<F extends LakeFile>(
    files: readonly F[],
    work: (batch: readonly F[]) => Promise<void>,
  ): Promise<void> {
    const whole = new Set<F>(files);
    const ends = new Map<StagedItem, F>();
    for (const file of files) {
      if (file.bytes < ENDS_WORTHWHILE || this.#area.has(this.#itemOf(file))) continue;
      const path = file.path + ENDS;
      const fetch = async () => {
        if (await this.#fetcher.ends(file, path)) whole.delete(file);
      };
      ends.set({ path, bytes: 2 * ENDS_BYTES, lastDay: -1, fetch }, file);
    }
    await this.#area.read([...ends.keys()], async (batch) => {
      const found = [...batch].map((item) => ends.get(item)!).filter((file) => !whole.has(file));
      if (found.length > 0) await work(found.map((file) => ({ ...file, path: file.path + ENDS })));
    });
    for (const item of ends.keys()) this.#area.drop(item);
    if (whole.size > 0 || files.length === 0) await this.#read([...whole], work);
  }

  #item(file: LakeFile, lastDay: number): void {
    // Keys may hold anything; these names need no care, neither of the file system nor of the engine.
    const name = this.#items.get(file.relative)?.path ?? join(this.#options.folder, numbered(this.#items.size));
    const fetch = () => this.#fetcher.whole(file, name);
    this.#items.set(file.relative, { path: name, bytes: file.bytes, lastDay, fetch });
  }

  #itemOf(file: LakeFile): StagedItem {
    return this.#items.get(file.relative)!;
  }

  #refuseTooLarge(files: readonly LakeFile[]): void {
    const file = files.find(({ bytes }) => bytes > this.#budget);
    if (!file) return;
    const what = `${file.relative} has ${mib(file.bytes)}`;
    const { limitBytes, folder } = this.#options;
    if (limitBytes !== null && file.bytes > limitBytes) {
      const hint = "Raise it: a file is fetched whole. Nothing was read.";
      throw inputError(`${what}, more than --staging-limit allows (${mib(limitBytes)})`, hint);
    }
    throw new PresenceError(EXIT.unexpected, `${what}, and ${folder} has room for ${mib(this.#budget)} only`, {
      hint: "Free space, or point --temp-dir to a larger disk. Nothing was published.",
    });
  }
}

const numbered = (index: number): string => `${String(index).padStart(6, "0")}.parquet`;
const mib = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MiB`;
