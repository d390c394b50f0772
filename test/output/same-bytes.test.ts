/** The same rows give the same bytes, whatever the threads and the order of files and rows. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { build, type Layout, publishedBytes, tempFolder } from "../support/lake-on-disk.ts";
import { readPublished } from "../support/read-mart.ts";
import { DAY, writeSmallLake } from "./small-lake.ts";

async function mart(layout: Layout, threads: number): Promise<string> {
  const folder = tempFolder();
  const { lake, metrics } = await writeSmallLake(folder, layout);
  await build(lake, join(folder, "mart"), { metrics, threads, onBadFile: "quarantine" });
  return join(folder, "mart");
}

/** The rows without what follows the files: where a row lies, and so the order of rows. */
async function quarantined(out: string): Promise<string[]> {
  const rows = (await readPublished(out, `quarantined_events/date=${DAY}`)) as Record<string, unknown>[];
  return rows.map(({ source_file: _, source_row: __, ...rest }) => JSON.stringify(rest)).sort();
}

test("1 and 2 threads, rows and files shuffled", async () => {
  const first = await mart({}, 1);
  const expected = publishedBytes(first);
  expect(Object.keys(expected).length).toBe(8 * 3 + 2);
  expect(publishedBytes(await mart({}, 2))).toEqual(expected);
  const { [`quarantined_events/date=${DAY}/part-00000.parquet`]: events, ...others } = expected;
  expect(events).toBeDefined();
  for (const [layout, threads] of [
    [{ shuffle: 1 }, 1],
    [{ files: 3, shuffle: 2 }, 2],
    [{ files: 7 }, 2],
  ] as const) {
    const out = await mart(layout, threads);
    expect(publishedBytes(out, /^(?!quarantined_events\/)/)).toEqual(others);
    expect(await quarantined(out)).toEqual(await quarantined(first));
  }
});
