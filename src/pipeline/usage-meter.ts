import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a step needed of the machine. */
export interface Usage {
  readonly seconds: number;
  /** The most resident memory of the process, bytes, looked at every 20 ms. */
  readonly peakRssBytes: number;
  /** The most data that lay in the spill folder, bytes. */
  readonly spilledBytes: number;
}

const EVERY_MS = 20;

/** Looks at memory and spilled data while the engine's own threads work. */
export class UsageMeter {
  readonly #spillFolder: string;
  #peakRssBytes = 0;
  #spilledBytes = 0;

  constructor(spillFolder: string) {
    this.#spillFolder = spillFolder;
  }

  async during<T>(work: () => Promise<T>): Promise<{ result: T; usage: Usage }> {
    const started = performance.now();
    this.#peakRssBytes = 0;
    this.#spilledBytes = 0;
    this.#look();
    const timer = setInterval(() => this.#look(), EVERY_MS);
    try {
      const result = await work();
      this.#look();
      const seconds = (performance.now() - started) / 1000;
      return { result, usage: { seconds, peakRssBytes: this.#peakRssBytes, spilledBytes: this.#spilledBytes } };
    } finally {
      clearInterval(timer);
    }
  }

  #look(): void {
    this.#peakRssBytes = Math.max(this.#peakRssBytes, process.memoryUsage.rss());
    this.#spilledBytes = Math.max(this.#spilledBytes, bytesIn(this.#spillFolder));
  }
}

/** The engine removes its files while we look. */
function bytesIn(folder: string): number {
  let bytes = 0;
  try {
    for (const name of readdirSync(folder)) bytes += statSync(join(folder, name)).size;
  } catch {
    return bytes;
  }
  return bytes;
}
