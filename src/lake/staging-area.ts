import { rmSync } from "node:fs";

/** Something that can be brought to this machine, again and again. */
export interface StagedItem {
  readonly path: string;
  /** Room that it takes, also while it is coming. */
  readonly bytes: number;
  /** Number of the run's last day that reads it. */
  readonly lastDay: number;
  /** Writes it to its path, whole or not at all. */
  fetch(): Promise<void>;
}

/** A statement over a few bytes costs more than it reads. */
const WORTH_READING = 32 * 1_048_576;

/**
 * A folder that never holds more than `budgetBytes`. Items are fetched in the background, up to `concurrency` at once, while others are
 * read: first those that the reading under way still wants, for which items that it has read make room; then, as far as there is
 * room, what is ahead.
 */
export class StagingArea {
  readonly #budget: number;
  readonly #concurrency: number;
  readonly #signal: AbortSignal;
  readonly #there = new Set<StagedItem>();
  readonly #coming = new Map<StagedItem, Promise<void>>();
  readonly #failed = new Map<StagedItem, unknown>();
  /** What the reading under way has not yet had, and what it has now. */
  #wanted = new Set<StagedItem>();
  #held = new Set<StagedItem>();
  #ahead: readonly StagedItem[] = [];
  #day = 0;
  #used = 0;
  #wake = () => {};

  constructor(budgetBytes: number, concurrency: number, signal: AbortSignal) {
    this.#budget = budgetBytes;
    this.#concurrency = concurrency;
    this.#signal = signal;
  }

  /** From now on a day is read. `ahead`: what is worth fetching where there is room, in this order. What no day reads any more goes. */
  begin(day: number, ahead: readonly StagedItem[]): void {
    this.#day = day;
    this.#ahead = ahead;
    for (const item of this.#there) if (item.lastDay < day) this.drop(item);
    this.#pump();
  }

  /** Whether it is here, or on its way. */
  has(item: StagedItem): boolean {
    return this.#there.has(item) || this.#coming.has(item);
  }

  /** Hands out all items, some after the other, each until `work` on its batch ends. One reading at a time. */
  async read(items: readonly StagedItem[], work: (batch: ReadonlySet<StagedItem>) => Promise<void>): Promise<void> {
    for (const item of items) this.#failed.delete(item);
    this.#wanted = new Set(items);
    try {
      while (this.#wanted.size > 0) {
        this.#held = await this.#nextBatch();
        for (const item of this.#held) this.#wanted.delete(item);
        this.#pump();
        await work(this.#held);
        this.#held = new Set();
      }
    } finally {
      this.#wanted = new Set();
      this.#held = new Set();
    }
  }

  drop(item: StagedItem): void {
    if (!this.#there.delete(item)) return;
    rmSync(item.path, { force: true });
    this.#used -= item.bytes;
  }

  /** Resolves when nothing is on its way any more; the signal has to be aborted before. */
  async settled(): Promise<void> {
    await Promise.all(this.#coming.values());
  }

  async #nextBatch(): Promise<Set<StagedItem>> {
    for (;;) {
      this.#signal.throwIfAborted();
      this.#pump();
      const wanted = [...this.#wanted];
      const failed = wanted.find((item) => this.#failed.has(item));
      if (failed) throw this.#failed.get(failed);
      const there = wanted.filter((item) => this.#there.has(item));
      const isComing = wanted.some((item) => this.#coming.has(item));
      const enough = Math.min(WORTH_READING, this.#budget / 4, sizeOf(wanted));
      if (there.length > 0 && (sizeOf(there) >= enough || !isComing)) return this.#upToHalf(there);
      if (this.#coming.size === 0) throw new Error("the staging area has no room for what is to be read");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The other half is for what is fetched meanwhile. */
  #upToHalf(there: readonly StagedItem[]): Set<StagedItem> {
    const batch = new Set<StagedItem>();
    let bytes = 0;
    for (const item of there) {
      bytes += item.bytes;
      if (batch.size > 0 && bytes > this.#budget / 2) break;
      batch.add(item);
    }
    return batch;
  }

  #pump(): void {
    while (!this.#signal.aborted && this.#coming.size < this.#concurrency) {
      const item = this.#nextToFetch();
      if (item === null) return;
      this.#fetch(item);
    }
  }

  #nextToFetch(): StagedItem | null {
    for (const item of this.#wanted) {
      if (this.has(item)) continue;
      return !this.#failed.has(item) && this.#makeRoom(item.bytes) ? item : null;
    }
    const next = this.#ahead.find((item) => !this.has(item) && !this.#failed.has(item));
    return next && this.#used + next.bytes <= this.#budget ? next : null;
  }

  /** Drops what the reading under way does not need: first what no later day reads. False where that would not be enough. */
  #makeRoom(bytes: number): boolean {
    if (this.#used + bytes <= this.#budget) return true;
    const spare = [...this.#there].filter((item) => !this.#wanted.has(item) && !this.#held.has(item));
    if (this.#used + bytes - sizeOf(spare) > this.#budget) return false;
    spare.sort((a, b) => a.lastDay - b.lastDay);
    for (const item of spare) {
      if (this.#used + bytes <= this.#budget) break;
      this.drop(item);
    }
    return true;
  }

  #fetch(item: StagedItem): void {
    this.#used += item.bytes;
    const settle = (failure: unknown) => {
      this.#coming.delete(item);
      this.#there.add(item);
      if (failure !== null) this.#failed.set(item, failure);
      if (failure !== null || (item.lastDay < this.#day && !this.#wanted.has(item))) this.drop(item);
      this.#pump();
      this.#wake();
    };
    this.#coming.set(
      item,
      item.fetch().then(
        () => settle(null),
        (error: unknown) => settle(error),
      ),
    );
  }
}

export const sizeOf = (items: readonly { readonly bytes: number }[]): number =>
  items.reduce((sum, { bytes }) => sum + bytes, 0);
