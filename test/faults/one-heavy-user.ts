/** Fault 44: one user with half of all events, and little memory. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { DAY, DAY_MS, HOUR_MS, openDuckdb, writeEvents } from "../lake/support.ts";
import { build, publishedBytes, tempFolder } from "../support/lake-on-disk.ts";

const run = await openDuckdb();

/** As many events, half of them of one user, within 400 MB and with ten times as much: the same bytes. */
export async function countHeavyUser(events: number, metrics: readonly string[]): Promise<void> {
  const [lake, folder] = [tempFolder(), tempFolder()];
  const perHour = Math.floor(events / 24);
  for (let hour = 0; hour < 24; hour++) {
    const ms = `${DAY_MS + hour * HOUR_MS} + CAST(floor(i * ${HOUR_MS / perHour}) AS BIGINT)`;
    await writeEvents(
      run,
      lake,
      `event_date=${DAY}/event_hour=${hour}/part.parquet`,
      {
        event_id: `'${hour}-' || i`,
        user_id: "CASE WHEN i % 2 = 0 THEN 'one' ELSE 'u' || (i // 2 % 4000) END",
        session_id: "CASE WHEN i % 2 = 0 THEN 'one' ELSE 's' || (i // 2 % 4000) END",
        event_type: "CASE WHEN i % 1000 = 0 THEN 'USER_ACTIVE' ELSE 'HEARTBEAT' END",
        server_time: ms,
        sequence: `CAST(${hour * perHour} + i AS BIGINT)`,
      },
      perHour,
    );
  }
  const results = [];
  for (const memoryLimitBytes of [400_000_000, 4_000_000_000]) {
    const out = join(folder, String(memoryLimitBytes));
    const { days } = await build(lake, out, {
      date: DAY,
      metrics,
      memoryLimitBytes,
      threads: 2,
      tempDir: tmpdir(),
    });
    results.push({ events: days[0]!.events, metrics: days[0]!.metrics, bytes: publishedBytes(out) });
  }
  expect(results[0]!.events).toMatchObject({ owned: perHour * 24, accepted: perHour * 24 });
  expect(results[0]!.metrics[0]!.users).toBe(4001);
  expect(results[1]).toEqual(results[0]);
}
