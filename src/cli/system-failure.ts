interface SystemError extends Error {
  readonly code?: string;
  readonly path?: string;
}

const PLAIN: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOSPC: ["the disk is full", "free some space, or choose another --temp-dir or --out"],
  EDQUOT: ["the disk quota is used up", "free some space, or choose another --temp-dir or --out"],
  EACCES: ["permission denied", "check who owns the file or folder, and its permissions"],
  EPERM: ["permission denied", "check who owns the file or folder, and its permissions"],
  EROFS: ["the file system is read-only", "choose another --out or --temp-dir"],
  ENOTDIR: ["a part of the path is no folder", "choose another --out or --temp-dir"],
  EMFILE: ["too many open files", "raise the limit of open files (ulimit -n)"],
  ENOMEM: ["not enough memory", "raise --memory-limit, lower --threads, or free some memory"],
  ENFILE: ["too many open files on this machine", "raise the machine's limit of open files (fs.file-max)"],
};

// The engine reports the system's errors as text only.
const IN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/out of memory/i, "ENOMEM"],
  [/no space left on device/i, "ENOSPC"],
  [/disk quota exceeded/i, "EDQUOT"],
  [/read-only file system/i, "EROFS"],
  [/too many open files/i, "EMFILE"],
  [/permission denied/i, "EACCES"],
];

/** The machine's usual troubles in plain words, with the path if it is known; undefined for any other error. */
export function systemFailure(error: unknown): { message: string; hint: string } | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, path, message } = at as SystemError;
    const known = code !== undefined && Object.hasOwn(PLAIN, code) ? code : undefined;
    const name = known ?? IN_WORDS.find(([words]) => words.test(message))?.[1];
    if (name === undefined) continue;
    const [what, hint] = PLAIN[name]!;
    // What the engine advises in its further lines are its own settings, not this program's options.
    const where = known ? path : message.split("\n", 1)[0];
    return { message: where ? `${what}: ${where}` : what, hint };
  }
  return undefined;
}
