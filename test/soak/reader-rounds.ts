import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { effects, rebuildOptions } from "../publish/mart-tools.ts";
import { METRICS, TwoLakes } from "./two-lakes.ts";

export interface ReaderFigures {
  rebuilds: number;
  reads: number;
  interrupted: number;
  twice: number;
  missing: number;
  /** What was read of each date and definition, and how often: an old and a new one, nothing between. */
  contents: Record<string, number>;
  errors: string[];
}

const TSX = fileURLToPath(new URL("../../node_modules/.bin/tsx", import.meta.url));

/** Rebuilds one of two dates over and over, its content changing each time, while another process reads the whole table. */
export async function readerRounds(rebuilds: number): Promise<ReaderFigures> {
  const lakes = await TwoLakes.make();
  try {
    const changes = { metrics: METRICS, tempDir: lakes.tempDir, force: true };
    const once = (more: object = {}) =>
      rebuild(rebuildOptions(lakes.lake.folder, lakes.out, { ...changes, ...more }), effects());
    await lakes.lake.add(30, ["a", "z"]);
    const other = { kind: "date", date: "2024-01-16" };
    await once({ days: other, missingHours: 24, allowUnfinished: true });
    const reader = spawn(TSX, [join(import.meta.dirname, "reader.ts"), lakes.out], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    let said = "";
    reader.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const ended = new Promise((resolve) => reader.on("close", resolve));
    for (let n = 0; n < rebuilds; n++) {
      await lakes.switchTo(lakes.other());
      await once();
    }
    reader.stdin.end();
    await ended;
    return { rebuilds, ...JSON.parse(said) };
  } finally {
    lakes.remove();
  }
}

/** Two contents of the date that changes, one of the other, under each definition. */
export function isOldOrNew({ contents }: ReaderFigures): boolean {
  return Object.keys(contents).length <= METRICS.length * 3;
}
