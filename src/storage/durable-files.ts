import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { errorCode, isGone, type LocalFiles } from "./local-files.ts";

/** Unfinished files: hidden, and no reader's glob for Parquet or JSON takes them. */
const PARTIAL = /^\.[0-9a-f]{16}\.partial$/;

export const isPartial = (path: string): boolean => PARTIAL.test(basename(path));

/** Writes that have happened whole, and survive a power failure, when they resolve; or have not. */
export class DurableFiles {
  readonly #files: LocalFiles;

  constructor(files: LocalFiles) {
    this.#files = files;
  }

  async write(path: string, content: string): Promise<void> {
    await this.#files.write(path, content);
    await this.#files.sync(path);
  }

  /** Fills a partial file and gives it its name at once. */
  async replace(target: string, fill: (partial: string) => Promise<void>): Promise<void> {
    await this.makeFolder(dirname(target));
    const partial = partialFor(target);
    try {
      await fill(partial);
      await this.#files.rename(partial, target);
    } finally {
      // Renaming one hard link of a file over another does nothing and leaves both.
      await this.removeIfThere(partial);
    }
    await this.#files.sync(dirname(target));
  }

  /** False where there is a file already. Rejects with the system's error where there are no hard links. */
  async create(target: string, content: string): Promise<boolean> {
    await this.makeFolder(dirname(target));
    const partial = partialFor(target);
    try {
      await this.write(partial, content);
      await this.#files.link(partial, target);
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw error;
    } finally {
      await this.removeIfThere(partial);
    }
    await this.#files.sync(dirname(target));
    return true;
  }

  async removeIfThere(path: string): Promise<void> {
    await this.#files.unlink(path).catch(nullIfGone);
  }

  async removeFolder(folder: string): Promise<void> {
    for (const entry of (await this.#files.readdir(folder).catch(nullIfGone)) ?? []) {
      const path = join(folder, entry.name);
      await (entry.isDirectory() ? this.removeFolder(path) : this.removeIfThere(path));
    }
    await this.#files.rmdir(folder).catch(nullIfGone);
  }

  async makeFolder(folder: string): Promise<void> {
    const found = await this.#files.stat(folder).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    });
    if (found !== null) return;
    await this.makeFolder(dirname(folder));
    await this.#files.mkdir(folder).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
    await this.#files.sync(dirname(folder));
  }
}

const partialFor = (target: string): string => join(dirname(target), `.${randomBytes(8).toString("hex")}.partial`);

export function nullIfGone(error: unknown): null {
  if (isGone(error)) return null;
  throw error;
}
