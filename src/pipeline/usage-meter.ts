import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a step needed of the machine. */
export interface Usage {
  /** The most resident memory of the process, bytes, looked at every 20 ms. */
  readonly peakRssBytes: number;
  /** The most data that lay in the spill folder, bytes. */
  readonly spilledBytes: number;
}

const EVERY_MS = 20;

/** Looks at memory and spilled data while the engine's own threads work. */
export class UsageMeter {
  readonly #spillFolder: string;
  #usage: Usage = { peakRssBytes: 0, spilledBytes: 0 };
  #timer: NodeJS.Timeout | null = null;

  constructor(spillFolder: string) {
    this.#spillFolder = spillFolder;
  }

  start(): void {
    this.#usage = { peakRssBytes: 0, spilledBytes: 0 };
    this.#look();
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
  }

  stop(): Usage {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#look();
    return this.#usage;
  }

  #look(): void {
    this.#usage = {
      peakRssBytes: Math.max(this.#usage.peakRssBytes, process.memoryUsage.rss()),
      spilledBytes: Math.max(this.#usage.spilledBytes, bytesIn(this.#spillFolder)),
    };
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
