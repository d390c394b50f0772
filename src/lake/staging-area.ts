import { rmSync } from "node:fs";
import type { StagedItem } from "./staged-item.ts";
import { StagedReading } from "./staged-reading.ts";

/** A statement over a few bytes costs more than it reads. */
const WORTH_READING = 32 * 1_048_576;

/**
 * A folder that never holds more than `budgetBytes`. Items are fetched in the background, up to `concurrency` at once, while others are
 * read: first those that the reading under way still wants, for which items that nobody reads just now make room; then, as far as
 * there is room, what is ahead.
 */
export class StagingArea {
  readonly #budget: number;
  readonly #concurrency: number;
  readonly #signal: AbortSignal;
  readonly #there = new Set<StagedItem>();
  readonly #coming = new Map<StagedItem, Promise<void>>();
  /** What is there and nobody reads just now: what no later day reads, and the others. */
  readonly #passed = new Set<StagedItem>();
  readonly #later = new Set<StagedItem>();
  #spareBytes = 0;
  #used = 0;
  #day = 0;
  /** Next last. */
  #ahead: StagedItem[] = [];
  #reading = new StagedReading([]);
  #wake = () => {};

  constructor(budgetBytes: number, concurrency: number, signal: AbortSignal) {
    this.#budget = budgetBytes;
    this.#concurrency = concurrency;
    this.#signal = signal;
  }

  /** From now on a day is read. `ahead`: what is worth fetching where there is room, in this order. What no day reads any more goes. */
  begin(day: number, ahead: readonly StagedItem[]): void {
    this.#day = day;
    this.#ahead = [...ahead].reverse();
    this.#sortOutSpare();
    for (const item of [...this.#there]) if (item.lastDay < day) this.drop(item);
    this.#pump();
  }

  /** Whether it is here, or on its way. */
  has(item: StagedItem): boolean {
    return this.#there.has(item) || this.#coming.has(item);
  }

  /** Hands out all items, some after the other, each until `work` on its batch ends. One reading at a time. */
  async read(items: readonly StagedItem[], work: (batch: ReadonlySet<StagedItem>) => Promise<void>): Promise<void> {
    const reading = new StagedReading(items);
    this.#reading = reading;
    for (const item of items) {
      if (this.#there.has(item)) reading.has(item);
      else if (this.#coming.has(item)) reading.comes();
    }
    this.#sortOutSpare();
    try {
      while (!reading.isDone) {
        const batch = await this.#nextBatch(reading);
        this.#pump();
        await work(batch);
        for (const item of batch) this.#spare(item);
      }
    } finally {
      this.#reading = new StagedReading([]);
      this.#sortOutSpare();
    }
  }

  drop(item: StagedItem): void {
    if (!this.#there.delete(item)) return;
    if (this.#passed.delete(item) || this.#later.delete(item)) this.#spareBytes -= item.bytes;
    rmSync(item.path, { force: true });
    this.#used -= item.bytes;
  }

  /** Resolves when nothing is on its way any more; the signal has to be aborted before. */
  async settled(): Promise<void> {
    await Promise.all(this.#coming.values());
  }

  /** What there is of a reading, once it is worth a statement. The other half of the room is for what is fetched meanwhile. */
  async #nextBatch(reading: StagedReading): Promise<ReadonlySet<StagedItem>> {
    for (;;) {
      this.#signal.throwIfAborted();
      this.#pump();
      if (reading.failure) throw reading.failure.error;
      const enough = Math.min(WORTH_READING, this.#budget / 4, reading.wantedBytes);
      if (reading.hasAny && (reading.thereBytes >= enough || !reading.isComing)) return reading.take(this.#budget / 2);
      if (this.#coming.size === 0) throw new Error("the staging area has no room for what is to be read");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #pump(): void {
    while (!this.#signal.aborted && !this.#reading.failure && this.#coming.size < this.#concurrency) {
      const item = this.#nextToFetch();
      if (item === null) return;
      this.#fetch(item);
    }
  }

  #nextToFetch(): StagedItem | null {
    const wanted = this.#reading.nextToFetch((item) => this.has(item));
    if (wanted) return this.#makeRoom(wanted.bytes) ? wanted : null;
    while (this.#ahead.length > 0 && this.has(this.#ahead.at(-1)!)) this.#ahead.pop();
    const next = this.#ahead.at(-1);
    if (!next || this.#used + next.bytes > this.#budget) return null;
    this.#ahead.pop();
    return next;
  }

  /** Drops what nobody reads just now: first what no later day reads. False where that would not be enough. */
  #makeRoom(bytes: number): boolean {
    const fits = () => this.#used + bytes <= this.#budget;
    if (this.#used + bytes - this.#spareBytes > this.#budget) return false;
    for (const spare of [this.#passed, this.#later]) {
      for (const item of spare) {
        if (fits()) return true;
        this.drop(item);
      }
    }
    return fits();
  }

  #fetch(item: StagedItem): void {
    this.#used += item.bytes;
    if (this.#reading.wants(item)) this.#reading.comes();
    const here = () => {
      this.#there.add(item);
      if (this.#reading.wants(item)) this.#reading.came(item);
      else if (item.lastDay < this.#day) this.drop(item);
      else this.#spare(item);
    };
    const failed = (error: unknown) => {
      rmSync(item.path, { force: true });
      this.#used -= item.bytes;
      if (this.#reading.wants(item)) this.#reading.fail(error);
    };
    const settle = (outcome: () => void) => {
      this.#coming.delete(item);
      outcome();
      this.#pump();
      this.#wake();
    };
    this.#coming.set(
      item,
      item.fetch().then(
        () => settle(here),
        (error: unknown) => settle(() => failed(error)),
      ),
    );
  }

  #spare(item: StagedItem): void {
    const spare = item.lastDay > this.#day ? this.#later : this.#passed;
    spare.add(item);
    this.#spareBytes += item.bytes;
  }

  #sortOutSpare(): void {
    this.#passed.clear();
    this.#later.clear();
    this.#spareBytes = 0;
    for (const item of this.#there) if (!this.#reading.wants(item)) this.#spare(item);
  }
}
