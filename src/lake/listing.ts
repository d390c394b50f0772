import { resolve } from "node:path";
import { inputError, PresenceError } from "../errors.ts";
import type { FileVersion, LakeFile } from "./lake-file.ts";
import { type LakeEntry, type LakeStore, localLakeStore, systemCode } from "./lake-store.ts";
import { DAY_MS, HOUR_MS, isHidden, type PartitionName, parsePartitionName } from "./partition.ts";

/** Something in the lake that is neither data nor hidden. `path` is relative to the lake. */
export interface Oddity {
  readonly path: string;
  readonly reason: string;
}

export interface LakeListing {
  /** By the UTF-8 bytes of `relative`. */
  readonly files: readonly LakeFile[];
  /**
   * Starts of the hours that are there, ascending: a partition folder holds a data file (a bad one, too) or `_SUCCESS`.
   * An empty folder alone says nothing: writers create it before they fail.
   */
  readonly hours: readonly number[];
  readonly oddities: readonly Oddity[];
}

/** Half-open, ms of Unix time. */
export interface ListingWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

const EXPECTED = "<lake>/event_date=YYYY-MM-DD/event_hour=HH/*.parquet";
const STATS_AT_ONCE = 16;

/**
 * Lists the files of the hours that overlap the window, and no folder of any other date or hour.
 * Throws exit 3 where the lake cannot be listed or holds no partition at all.
 */
export async function listLake(
  lakePath: string,
  window: ListingWindow,
  store: LakeStore = localLakeStore(resolve(lakePath)),
): Promise<LakeListing> {
  const walk = new LakeWalk(lakePath, window, store);
  const top = await walk.list("");
  for (const entry of visible(top)) {
    await walk.topLevel(entry);
  }
  if (walk.dates === 0) {
    throw nothingFound(lakePath, top);
  }
  return walk.listing();
}

class LakeWalk {
  dates = 0;
  private readonly found: { relative: string; hourMs: number }[] = [];
  private readonly hours = new Set<number>();
  private readonly oddities: Oddity[] = [];
  private readonly lakePath: string;
  private readonly window: ListingWindow;
  private readonly store: LakeStore;

  constructor(lakePath: string, window: ListingWindow, store: LakeStore) {
    this.lakePath = lakePath;
    this.window = window;
    this.store = store;
  }

  async list(folder: string): Promise<readonly LakeEntry[]> {
    try {
      return await this.store.list(folder);
    } catch (error) {
      throw cannotList(this.lakePath, folder, error);
    }
  }

  async topLevel(entry: LakeEntry): Promise<void> {
    const name = this.partition("", entry);
    if (name?.kind !== "other") {
      return this.dateLevel(entry.name, name);
    }
    for (const child of visible(await this.list(entry.name))) {
      await this.dateLevel(`${entry.name}/${child.name}`, this.partition(entry.name, child));
    }
  }

  async listing(): Promise<LakeListing> {
    const byBytes = this.found
      .map((file) => ({ file, key: Buffer.from(file.relative) }))
      .sort((a, b) => a.key.compare(b.key))
      .map(({ file }) => file);
    const files: LakeFile[] = [];
    for (let start = 0; start < byBytes.length; start += STATS_AT_ONCE) {
      files.push(...(await Promise.all(byBytes.slice(start, start + STATS_AT_ONCE).map((file) => this.stat(file)))));
    }
    return { files, hours: [...this.hours].sort((a, b) => a - b), oddities: this.oddities };
  }

  private async dateLevel(path: string, name: PartitionName | null): Promise<void> {
    if (name?.kind === "date") {
      this.dates++;
      if (this.overlaps(name.dayMs, DAY_MS)) {
        await this.date(path, name.dayMs);
      }
    } else if (name) {
      this.odd(path, name.kind === "hour" ? "an hour without a date above it" : "a second level above the date");
    }
  }

  private async date(path: string, dayMs: number): Promise<void> {
    for (const entry of visible(await this.list(path))) {
      const name = this.partition(path, entry);
      const below = `${path}/${entry.name}`;
      if (name?.kind === "hour") {
        const hourMs = dayMs + name.hour * HOUR_MS;
        if (this.overlaps(hourMs, HOUR_MS)) {
          await this.hour(below, hourMs);
        }
      } else if (name) {
        this.odd(below, "no hour: a date holds event_hour=HH folders only");
      }
    }
  }

  private async hour(path: string, hourMs: number): Promise<void> {
    const entries = await this.list(path);
    if (entries.some((entry) => entry.name === "_SUCCESS")) {
      this.hours.add(hourMs);
    }
    for (const entry of visible(entries)) {
      const relative = `${path}/${entry.name}`;
      if (entry.kind === "folder") {
        this.odd(relative, "a folder inside an hour");
      } else if (entry.kind === "special") {
        this.odd(relative, "neither file nor folder");
      } else if (!/\.(parquet|parq)$/i.test(entry.name)) {
        this.odd(relative, "its name does not end in .parquet or .parq");
      } else {
        this.hours.add(hourMs);
        this.found.push({ relative, hourMs });
      }
    }
  }

  /** What a folder's name says; null where the entry is no partition, which is then reported. */
  private partition(folder: string, entry: LakeEntry): PartitionName | null {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.kind !== "folder") {
      const what = { file: "a file", broken: "a broken link", special: "neither file nor folder" }[entry.kind];
      return this.odd(path, `${what} where partition folders are expected`);
    }
    const name = parsePartitionName(entry.name);
    if (name === null) {
      return this.odd(path, "no partition folder (key=value)");
    }
    return name.kind === "unreadable" ? this.odd(path, name.reason) : name;
  }

  private odd(path: string, reason: string): null {
    this.oddities.push({ path, reason });
    return null;
  }

  private overlaps(startMs: number, lengthMs: number): boolean {
    return startMs < this.window.toMs && startMs + lengthMs > this.window.fromMs;
  }

  private async stat(file: { relative: string; hourMs: number }): Promise<LakeFile> {
    try {
      const version = await this.store.version(file.relative);
      return { ...file, path: this.store.localPath(file.relative), ...(version ?? GONE) };
    } catch (error) {
      throw cannotList(this.lakePath, file.relative, error);
    }
  }
}

const GONE: FileVersion = { bytes: 0, mtimeNs: 0n, inode: 0n };

/** In order of name, so that reports do not depend on the file system. */
function visible(entries: readonly LakeEntry[]): LakeEntry[] {
  return entries.filter((entry) => !isHidden(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function cannotList(lakePath: string, below: string, error: unknown): Error {
  if (error instanceof PresenceError) return error;
  const path = below === "" ? lakePath : `${lakePath}/${below}`;
  const code = systemCode(error);
  if (below !== "" && code === "ENOENT") {
    return inputError(`${path}: the folder vanished while the lake was listed`, "Run again.");
  }
  const hint = `--lake takes the folder that holds the event_date=YYYY-MM-DD folders.`;
  if (code === "ENOENT") return inputError(`Lake not found: ${path}`, hint);
  if (code === "ENOTDIR") {
    return inputError(`The lake is no folder: ${path}`, hint);
  }
  if (code === "EACCES" || code === "EPERM") {
    return inputError(`No permission to read ${path}`, "Grant read access to the folder, or run as a user who has it.");
  }
  return inputError(`Cannot list ${path}: ${error instanceof Error ? error.message : String(error)}`);
}

function nothingFound(lakePath: string, top: readonly LakeEntry[]): Error {
  const names = top.map((entry) => entry.name).sort();
  const shown = names.slice(0, 3).join(", ");
  const found = names.length === 0 ? "nothing" : names.length > 3 ? `${shown}, … (${names.length} entries)` : shown;
  const isDate = names.some((name) => parsePartitionName(name)?.kind === "hour");
  return inputError(
    `No partition in ${lakePath}: expected ${EXPECTED}, found ${found}`,
    isDate
      ? "This looks like one date of a lake: --lake takes the folder above it."
      : "--lake takes the folder that holds the event_date=YYYY-MM-DD folders.",
  );
}
