import { createHash, randomBytes } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { usageError } from "../errors.ts";
import { errorCode, isGone, type LocalFiles, SYSTEM_FILES } from "./local-files.ts";
import type { Digest, ObjectStore, StoredObject } from "./object-store.ts";
import { storeFailure } from "./store-failure.ts";

/** Unfinished files: hidden, and no reader's glob for Parquet or JSON takes them. */
const PARTIAL = /^\.[0-9a-f]{16}\.partial$/;

/** A mart in a local folder. Replaces by hard link and rename, so that copies cost no space. */
export class LocalStore implements ObjectStore {
  readonly location: string;
  readonly #files: LocalFiles;

  constructor(root: string, files: LocalFiles = SYSTEM_FILES) {
    this.location = resolve(root);
    this.#files = files;
  }

  async assertUsable(): Promise<void> {
    for (let folder = this.location; ; folder = dirname(folder)) {
      const found = await this.#files.stat(folder).catch((error: unknown) => {
        if (errorCode(error) === "ENOENT") return null;
        throw storeFailure(error, this.location);
      });
      if (found === null) continue;
      if (found.isFile()) throw usageError(`the mart ${folder} is a file`, "Give a folder as --out.");
      return access(folder, constants.W_OK).catch((error: unknown) => {
        throw storeFailure(error, this.location);
      });
    }
  }

  async get(key: string): Promise<Buffer | null> {
    return this.#files.read(this.#path(key)).catch(nullIfGone);
  }

  async stat(key: string): Promise<StoredObject | null> {
    const found = await this.#files.stat(this.#path(key)).catch(nullIfGone);
    return found?.isFile() ? { key, bytes: found.size, modifiedMs: found.mtimeMs } : null;
  }

  async digest(key: string): Promise<Digest | null> {
    const hash = createHash("sha256");
    let bytes = 0;
    try {
      for await (const chunk of createReadStream(this.#path(key))) {
        hash.update(chunk as Buffer);
        bytes += (chunk as Buffer).length;
      }
    } catch (error) {
      return nullIfGone(error);
    }
    return { bytes, sha256: hash.digest("hex") };
  }

  put(key: string, content: string): Promise<void> {
    return this.#replace(key, (partial) => this.#writeDurably(partial, content));
  }

  putFile(key: string, file: string): Promise<void> {
    return this.#replace(key, async (partial) => {
      try {
        await this.#files.rename(file, partial);
      } catch (error) {
        if (errorCode(error) !== "EXDEV") throw error;
        await this.#files.copyFile(file, partial);
      }
      await this.#files.sync(partial);
    });
  }

  async createExclusive(key: string, content: string): Promise<boolean> {
    const target = this.#path(key);
    return this.#guarded(async () => {
      await this.#makeFolder(dirname(target));
      const partial = partialFor(target);
      await this.#writeDurably(partial, content);
      try {
        await this.#files.link(partial, target);
      } catch (error) {
        if (errorCode(error) === "EEXIST") return false;
        if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errorCode(error)))
          throw noLinks(this.location);
        throw error;
      } finally {
        await this.#removeIfThere(partial);
      }
      await this.#files.sync(dirname(target));
      return true;
    });
  }

  copy(from: string, to: string): Promise<void> {
    return this.#replace(to, async (partial) => {
      try {
        await this.#files.link(this.#path(from), partial);
      } catch (error) {
        // A file system without hard links, or a file that has its most: a copy serves as well.
        if (isGone(error) || ["ENOSPC", "EDQUOT", "EROFS"].includes(errorCode(error))) throw error;
        await this.#files.copyFile(this.#path(from), partial);
        await this.#files.sync(partial);
      }
    });
  }

  async list(prefix: string): Promise<StoredObject[]> {
    return (await this.#walk(prefix)).filter(({ key }) => !PARTIAL.test(basename(key)));
  }

  async leftovers(prefix: string): Promise<StoredObject[]> {
    return (await this.#walk(prefix)).filter(({ key }) => PARTIAL.test(basename(key)));
  }

  // Its folder stays: another process may be about to write there.
  delete(key: string): Promise<void> {
    return this.#guarded(() => this.#removeIfThere(this.#path(key)));
  }

  deleteAll(prefix: string): Promise<void> {
    return this.#guarded(() => this.#removeFolder(this.#path(prefix)));
  }

  removeLeftover(key: string): Promise<void> {
    return this.delete(key);
  }

  async asLocalFile(key: string): Promise<string> {
    return this.#path(key);
  }

  #path(key: string): string {
    return join(this.location, key);
  }

  /** Fills a partial file and gives it its name at once; the folder knows it durably afterwards. */
  async #replace(key: string, fill: (partial: string) => Promise<void>): Promise<void> {
    const target = this.#path(key);
    await this.#guarded(async () => {
      await this.#makeFolder(dirname(target));
      const partial = partialFor(target);
      try {
        await fill(partial);
        await this.#files.rename(partial, target);
      } finally {
        // Renaming one hard link of a file over another does nothing and leaves both.
        await this.#removeIfThere(partial);
      }
      await this.#files.sync(dirname(target));
    });
  }

  async #writeDurably(path: string, content: string): Promise<void> {
    await this.#files.write(path, content);
    await this.#files.sync(path);
  }

  async #removeIfThere(path: string): Promise<void> {
    await this.#files.unlink(path).catch(nullIfGone);
  }

  async #makeFolder(folder: string): Promise<void> {
    const found = await this.#files.stat(folder).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    });
    if (found !== null) return;
    await this.#makeFolder(dirname(folder));
    await this.#files.mkdir(folder).catch((error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
    await this.#files.sync(dirname(folder));
  }

  async #removeFolder(folder: string): Promise<void> {
    for (const entry of (await this.#files.readdir(folder).catch(nullIfGone)) ?? []) {
      const path = join(folder, entry.name);
      await (entry.isDirectory() ? this.#removeFolder(path) : this.#removeIfThere(path));
    }
    await this.#files.rmdir(folder).catch(nullIfGone);
  }

  async #walk(prefix: string): Promise<StoredObject[]> {
    const found: StoredObject[] = [];
    const visit = async (folder: string): Promise<void> => {
      const entries = (await this.#files.readdir(folder).catch(nullIfGone)) ?? [];
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          await visit(path);
          continue;
        }
        const stat = await this.#files.stat(path).catch(nullIfGone);
        const key = relative(this.location, path).split(sep).join("/");
        if (stat?.isFile()) found.push({ key, bytes: stat.size, modifiedMs: stat.mtimeMs });
      }
    };
    await visit(this.#path(prefix));
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeFailure(error, this.location);
    }
  }
}

const partialFor = (target: string): string => join(dirname(target), `.${randomBytes(8).toString("hex")}.partial`);

function nullIfGone(error: unknown): null {
  if (isGone(error)) return null;
  throw error;
}

const noLinks = (location: string) =>
  usageError(
    `the file system of the mart ${location} has no hard links: two runs could not be told apart`,
    "Put the mart on a local file system such as ext4 or XFS, or on S3.",
  );
