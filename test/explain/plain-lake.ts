import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Encoding, type LakeFile, partitionOf, type Scenario } from "../fuzz/scenario.ts";
import { writeLake } from "../fuzz/write-lake.ts";
import type { RawEvent } from "../oracle/types.ts";

const PLAIN: Encoding = {
  camelCase: false,
  shortEpoch: false,
  order: 0,
  serverTime: "TIMESTAMP_MS",
  otherTimes: "TIMESTAMP_MS",
  sequence: "BIGINT",
  booleansAsText: false,
  numericIds: false,
  omitEmpty: false,
  emptyText: false,
  micros: 0,
};

/** Writes events as a lake, one file an hour, with `_SUCCESS` in the `hours` that are there. */
export async function writePlainLake(
  events: readonly RawEvent[],
  hours: readonly number[],
  dir: string,
): Promise<void> {
  const byHour = new Map<number, RawEvent[]>();
  for (const event of events) byHour.set(event.hourMs, [...(byHour.get(event.hourMs) ?? []), event]);
  const files = [...byHour].map(
    ([hourMs, rows]): LakeFile => ({
      hourMs,
      name: "a.parquet",
      encoding: PLAIN,
      rows: rows.map(({ values }) => values),
    }),
  );
  await writeLake({ lake: { files, emptyHours: [] } } as unknown as Scenario, dir);
  for (const hour of hours) {
    await mkdir(join(dir, partitionOf(hour)), { recursive: true });
    await writeFile(join(dir, partitionOf(hour), "_SUCCESS"), "");
  }
}
