import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { usageError } from "../errors.ts";
import { DurableFiles, isPartial } from "./durable-files.ts";
import { errorCode, isGone, type LocalFiles, SYSTEM_FILES } from "./local-files.ts";
import type { Digest, ObjectStore, StoredObject } from "./object-store.ts";
import { readFailure, storeFailure } from "./store-failure.ts";

/** A mart in a local folder. Replaces by hard link and rename, so that copies cost no space. */
export class LocalStore implements ObjectStore {
  readonly location: string;
  readonly #files: LocalFiles;
  readonly #durable: DurableFiles;

  constructor(root: string, files: LocalFiles = SYSTEM_FILES) {
    this.location = resolve(root);
    this.#files = files;
    this.#durable = new DurableFiles(files);
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
    return this.#files.read(this.#path(key)).catch(this.#nullIfGone);
  }

  async stat(key: string): Promise<StoredObject | null> {
    const found = await this.#files.stat(this.#path(key)).catch(this.#nullIfGone);
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
      return this.#nullIfGone(error);
    }
    return { bytes, sha256: hash.digest("hex") };
  }

  put(key: string, content: string): Promise<void> {
    return this.#replace(key, (partial) => this.#durable.write(partial, content));
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

  createExclusive(key: string, content: string): Promise<boolean> {
    return this.#guarded(async () => {
      try {
        return await this.#durable.create(this.#path(key), content);
      } catch (error) {
        if (isNoLinks(error)) throw noLinks(this.location);
        throw error;
      }
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
    return (await this.#walk(prefix)).filter(({ key }) => !isPartial(key));
  }

  async leftovers(prefix: string): Promise<StoredObject[]> {
    return (await this.#walk(prefix)).filter(({ key }) => isPartial(key));
  }

  // Its folder stays: another process may be about to write there.
  delete(key: string): Promise<void> {
    return this.#guarded(() => this.#durable.removeIfThere(this.#path(key)));
  }

  deleteAll(prefix: string): Promise<void> {
    return this.#guarded(() => this.#durable.removeFolder(this.#path(prefix)));
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

  #replace(key: string, fill: (partial: string) => Promise<void>): Promise<void> {
    return this.#guarded(() => this.#durable.replace(this.#path(key), fill));
  }

  async #walk(prefix: string): Promise<StoredObject[]> {
    const found: StoredObject[] = [];
    const visit = async (folder: string): Promise<void> => {
      const entries = (await this.#files.readdir(folder).catch(this.#nullIfGone)) ?? [];
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          await visit(path);
          continue;
        }
        const stat = await this.#files.stat(path).catch(this.#nullIfGone);
        const key = relative(this.location, path).split(sep).join("/");
        if (stat?.isFile()) found.push({ key, bytes: stat.size, modifiedMs: stat.mtimeMs });
      }
    };
    await visit(this.#path(prefix));
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  readonly #nullIfGone = (error: unknown): null => {
    if (isGone(error)) return null;
    throw readFailure(error, this.location);
  };

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeFailure(error, this.location);
    }
  }
}

const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

const isNoLinks = (error: unknown): boolean =>
  NO_LINKS.includes(errorCode(error)) && (error as NodeJS.ErrnoException).syscall === "link";

const noLinks = (location: string) =>
  usageError(
    `the file system of the mart ${location} has no hard links: two runs could not be told apart`,
    "Put the mart on a local file system such as ext4 or XFS, or on S3.",
  );
