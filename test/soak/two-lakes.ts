import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { effects, published, rebuildOptions } from "../publish/mart-tools.ts";
import { SmallLake } from "../publish/small-lake.ts";

export const METRICS = ["connected", "foreground", "active"];

/** A lake that is switched between two contents, and what the mart of each has to look like, byte for byte. */
export class TwoLakes {
  readonly root: string;
  readonly lake: SmallLake;
  readonly out: string;
  readonly tempDir: string;
  readonly expected: Record<"A" | "B", Record<string, string>> = { A: {}, B: {} };
  content: "A" | "B" = "A";

  constructor() {
    this.root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "soak-"));
    this.lake = new SmallLake(join(this.root, "lake"));
    this.out = join(this.root, "mart");
    this.tempDir = mkdtempSync(join(this.root, "temp-"));
  }

  static async make(): Promise<TwoLakes> {
    const lakes = new TwoLakes();
    for (const content of ["A", "B"] as const) {
      await lakes.switchTo(content);
      const out = join(lakes.root, `mart-${content}`);
      await rebuild(rebuildOptions(lakes.lake.folder, out, { metrics: METRICS, tempDir: lakes.tempDir }), effects());
      lakes.expected[content] = published(out, { mtimes: false });
    }
    cpSync(join(lakes.root, "mart-B"), lakes.out, { recursive: true });
    return lakes;
  }

  async switchTo(content: "A" | "B"): Promise<void> {
    this.content = content;
    await this.lake.add(10, content === "A" ? ["a", "b", "c", "d", "e"] : ["a", "b"]);
    await this.lake.add(11, content === "A" ? ["f"] : ["f", "g", "h"]);
  }

  other(): "A" | "B" {
    return this.content === "A" ? "B" : "A";
  }

  /** Published files that are neither content's, as a crash in the middle of writing would leave them. */
  torn(): string[] {
    return Object.entries(published(this.out, { mtimes: false }))
      .filter(
        ([path, sha]) => !path.includes(".partial") && sha !== this.expected.A[path] && sha !== this.expected.B[path],
      )
      .map(([path]) => path);
  }

  /** Whether the mart is exactly that of the lake's content. */
  isCurrent(): boolean {
    const now = published(this.out, { mtimes: false });
    const paths = Object.keys(now).filter((path) => !path.includes(".partial"));
    const wanted = this.expected[this.content];
    return paths.length === Object.keys(wanted).length && paths.every((path) => now[path] === wanted[path]);
  }

  privateFolders(): string[] {
    return readdirSync(this.tempDir);
  }

  commits(): { number: number; by: string; parts: Record<string, { run: string }> }[] {
    const folder = join(this.out, "_presence/commits/date=2024-01-15");
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json") && !name.startsWith("."))
      .sort()
      .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
