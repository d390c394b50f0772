/** What identifies one version of a file. */
export interface FileVersion {
  readonly bytes: number;
  readonly mtimeNs: bigint;
  readonly inode: bigint;
  /** On S3, where it says more than the time does. */
  readonly etag?: string;
}

/** One data file of the lake, as it was when the lake was listed. A broken link has 0 bytes and inode 0. */
export interface LakeFile extends FileVersion {
  /** Absolute. */
  readonly path: string;
  /** POSIX, relative to the lake. */
  readonly relative: string;
  /** Start of the partition's hour, ms of Unix time. */
  readonly hourMs: number;
}
