/**
 * What explain prints of lakes made by hand, word for word. A golden file is written by a person's decision only:
 * UPDATE_GOLDEN=1 npx vitest run test/explain/golden.test.ts, and then read.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { explainText } from "../../src/cli/explain-text.ts";
import { explain } from "../../src/usecases/explain.ts";
import { schemaProblems } from "../support/json-schema.ts";
import { HAND_MADE, type HandMade, hoursAround } from "./hand-made.ts";
import { writePlainLake } from "./plain-lake.ts";

const NO_PAINT = { bold: String, yellow: String, red: String };
const WIDTH = 100;

describe("golden texts", () => {
  test.each(HAND_MADE.map((made) => [made.name, made] as const))("%s", async (name, made) => {
    const text = await textOf(made);
    const golden = new URL(`golden/${name}.txt`, import.meta.url);
    if (process.env.UPDATE_GOLDEN) writeFileSync(golden, text);
    if (!existsSync(golden)) throw new Error(`there is no golden/${name}.txt: see the head of this test`);
    expect(text).toBe(readFileSync(golden, "utf8"));
    const wide = text.split("\n").filter((line) => line.length > WIDTH && line.trim().includes(" "));
    expect(wide).toEqual([]);
  });
});

async function textOf(made: HandMade): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "explain-golden-"));
  try {
    const lake = join(folder, "lake");
    await writePlainLake(made.lake.events, hoursAround(made.lake.events), lake);
    const metrics = await Promise.all(
      made.metrics.map((metric, i) => metricOf(metric, join(folder, `metric-${i}.yaml`))),
    );
    const explanation = await explain(
      {
        userId: made.user,
        days: { kind: "date", date: made.day },
        lake,
        out: null,
        zone: made.zone,
        settings: null,
        metrics,
        fold: true,
        limit: 500,
        threads: 1,
        memoryLimitBytes: null,
        tempDir: null,
      },
      { nowMs: Date.UTC(2030, 0, 1), signal: new AbortController().signal },
    );
    const printed = JSON.parse(JSON.stringify({ schema: "presence-batch/explain@1", ...explanation }));
    expect(schemaProblems("explain", printed)).toBe("");
    return explainText(explanation, NO_PAINT, WIDTH);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function metricOf(metric: string, file: string): Promise<string> {
  if (!metric.includes("\n")) return metric;
  await writeFile(file, metric);
  return file;
}
