import { type FileHandle, open } from "node:fs/promises";
import { type BadFile, badFile, unreadableFile } from "./bad-file.ts";
import type { LakeFile } from "./lake-file.ts";
import { systemCode } from "./lake-store.ts";

const MAGIC = "PAR1";
const ENCRYPTED = "PARE";
/** Magic, footer length, magic. */
const SMALLEST = 12;

/**
 * Looks at the first 4 and the last 8 bytes. That names the usual damage in the user's terms and keeps it away from the
 * batches of `probeFiles`, which fail as a whole. Null where nothing is wrong.
 */
export async function checkEnds(file: LakeFile): Promise<BadFile | null> {
  let handle: FileHandle;
  try {
    handle = await open(file.path);
  } catch (error) {
    return cannotOpen(file, error);
  }
  try {
    const { size } = await handle.stat();
    const head = await bytesAt(handle, 0, Math.min(4, size));
    const tail = await bytesAt(handle, Math.max(0, size - 8), Math.min(8, size));
    return judge(file, size, head, tail);
  } catch (error) {
    return unreadableFile(file, error);
  } finally {
    await handle.close();
  }
}

function judge(file: LakeFile, size: number, head: Buffer, tail: Buffer): BadFile | null {
  if (size === 0) {
    return badFile(file, "EMPTY_FILE", "zero bytes");
  }
  if (head.toString("latin1") === ENCRYPTED) {
    return badFile(file, "UNREADABLE", "encrypted Parquet");
  }
  if (head.toString("latin1") !== MAGIC) {
    return badFile(file, "NOT_PARQUET", "does not begin as Parquet does (PAR1)");
  }
  if (size < SMALLEST || tail.toString("latin1", 4) !== MAGIC) {
    return badFile(
      file,
      "TRUNCATED",
      "does not end as Parquet does (PAR1): its writer did not finish, or a part is lost",
    );
  }
  const footer = tail.readUInt32LE(0);
  return footer > size - SMALLEST
    ? badFile(file, "TRUNCATED", `its footer should have ${footer} bytes, the whole file has ${size}`)
    : null;
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function cannotOpen(file: LakeFile, error: unknown): BadFile {
  const code = systemCode(error);
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") {
    const brokenLink = file.inode === 0n;
    return badFile(file, "VANISHED", brokenLink ? "a link that leads nowhere" : "gone since the lake was listed");
  }
  if (code === "EACCES" || code === "EPERM") {
    return badFile(file, "UNREADABLE", "no permission to read it");
  }
  return unreadableFile(file, error);
}
