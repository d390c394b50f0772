/** One object below a store's root. Keys are POSIX paths. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  /** Ms of Unix time, by the store's clock. */
  readonly modifiedMs: number;
}

export interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Where a mart lives: a local folder or a bucket's prefix. A write is durable when it resolves, and whoever reads sees a key's
 * old object or its new one, whole. A process may die within any call; the next one finds the old or the new object and at
 * most leftovers, which are no objects and never listed.
 */
export interface ObjectStore {
  /** For messages: the folder, or `s3://…`. */
  readonly location: string;
  /** Throws where it cannot be written or lacks what publishing relies on, before anything is. Writes nothing that stays. */
  assertUsable(): Promise<void>;
  /** Null where there is none. */
  get(key: string): Promise<Buffer | null>;
  stat(key: string): Promise<StoredObject | null>;
  /** Size and SHA-256 of what is stored now; null where there is none. */
  digest(key: string): Promise<Digest | null>;
  /** Creates or replaces. */
  put(key: string, content: string): Promise<void>;
  /** Creates or replaces with a local file, which the store takes over: it may be gone afterwards. */
  putFile(key: string, file: string): Promise<void>;
  /**
   * Creates only where there is none; of several at once, one succeeds. False: there is one already, which after a lost answer
   * may be the caller's own.
   */
  createExclusive(key: string, content: string): Promise<boolean>;
  /** Makes `to` the same object as `from`, replacing what is there, without moving the bytes where the store can. */
  copy(from: string, to: string): Promise<void>;
  /** All objects whose key begins with `prefix` (which ends in `/`, or is empty), in order of key. */
  list(prefix: string): Promise<StoredObject[]>;
  /** No error where there is none. */
  delete(key: string): Promise<void>;
  /** Everything below `prefix`, leftovers too. */
  deleteAll(prefix: string): Promise<void>;
  /** What interrupted writes have left behind below `prefix`. */
  leftovers(prefix: string): Promise<StoredObject[]>;
  removeLeftover(key: string): Promise<void>;
  /** Makes an object readable as a local file below `folder`, or where it lies already. */
  asLocalFile(key: string, folder: string): Promise<string>;
}
