import type { StagedItem } from "./staged-item.ts";

/** What one reading of items has not yet had: what of it is there, on its way, or still to be fetched. */
export class StagedReading {
  readonly #wanted: Set<StagedItem>;
  readonly #there = new Set<StagedItem>();
  /** In part fetched or handed out meanwhile; next last. */
  readonly #toFetch: StagedItem[];
  #coming = 0;
  #wantedBytes = 0;
  #thereBytes = 0;
  /** Why one of them cannot be had. */
  failure: { readonly error: unknown } | null = null;

  constructor(items: readonly StagedItem[]) {
    this.#wanted = new Set(items);
    this.#toFetch = [...items].reverse();
    for (const { bytes } of items) this.#wantedBytes += bytes;
  }

  get isDone(): boolean {
    return this.#wanted.size === 0;
  }

  get hasAny(): boolean {
    return this.#there.size > 0;
  }

  get isComing(): boolean {
    return this.#coming > 0;
  }

  get wantedBytes(): number {
    return this.#wantedBytes;
  }

  get thereBytes(): number {
    return this.#thereBytes;
  }

  wants(item: StagedItem): boolean {
    return this.#wanted.has(item);
  }

  comes(): void {
    this.#coming++;
  }

  came(item: StagedItem): void {
    this.#coming--;
    this.has(item);
  }

  has(item: StagedItem): void {
    this.#there.add(item);
    this.#thereBytes += item.bytes;
  }

  fail(error: unknown): void {
    this.#coming--;
    this.failure ??= { error };
  }

  /** The next one that neither is there nor on its way. */
  nextToFetch(isHere: (item: StagedItem) => boolean): StagedItem | null {
    for (;;) {
      const item = this.#toFetch.at(-1);
      if (!item) return null;
      if (this.#wanted.has(item) && !isHere(item)) return item;
      this.#toFetch.pop();
    }
  }

  /** Hands out what is there, one at least and else no more than `mostBytes`. */
  take(mostBytes: number): ReadonlySet<StagedItem> {
    const batch = new Set<StagedItem>();
    let bytes = 0;
    for (const item of this.#there) {
      if (batch.size > 0 && bytes + item.bytes > mostBytes) break;
      bytes += item.bytes;
      batch.add(item);
      this.#there.delete(item);
      this.#wanted.delete(item);
    }
    this.#thereBytes -= bytes;
    this.#wantedBytes -= bytes;
    return batch;
  }
}
