/** A mart of 100,000 users: the report's page stays small, and export and rollup have each of them. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandIn } from "../explain/workplace.ts";

const USERS = 100_000;
const folder = mkdtempSync(join(tmpdir(), "large-mart-"));
const run = async (line: string): Promise<string> => {
  const { code, stdout, stderr } = await commandIn(folder, line.split(" "));
  expect(code, stderr).toBe(0);
  return stdout;
};

/** Each user has one session of up to an hour in some hour of the day, from any of 3,000 app versions. */
async function writeLake(): Promise<void> {
  const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  for (let hour = -1; hour < 25; hour++) {
    const start = Date.parse("2026-07-29T00:00:00Z") + hour * 3_600_000;
    const iso = new Date(start).toISOString();
    const path = join(folder, `lake/event_date=${iso.slice(0, 10)}/event_hour=${iso.slice(11, 13)}`);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "_SUCCESS"), "");
    if (hour < 0 || hour > 23) continue;
    await duckdb.run(`copy (
      select u || '-' || i as event_id, 'user ' || u as user_id, 's' || u as session_id, i as sequence,
        case when i = 0 then 'SESSION_START' else 'HEARTBEAT' end as event_type,
        make_timestamp_ms(${start} + (u * 7919) % 1800000 + i * 60000) as server_time,
        ['ios', 'android', 'web'][1 + u % 3] as client_type, 'v' || u % 3000 as app_version
      from range(${USERS}) as users(u), range(25) as beats(i)
      where u % 24 = ${hour} and i <= u % 25
    ) to '${path}/part-0.parquet' (format parquet)`);
  }
}

beforeAll(async () => {
  await writeLake();
  await run("rebuild --date 2026-07-29 --lake lake --out mart --tz UTC --metric connected,foreground");
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

test("the page stays below 2 MB", async () => {
  expect(await run("report --date 2026-07-29 --out mart --html page.html")).toMatch(/\nconnected@1 +100,000 /);
  expect(statSync(join(folder, "page.html")).size).toBeLessThan(2_000_000);
});

test("export has every user once, in order, and so has the week", async () => {
  const ids = (text: string) =>
    text
      .split("\r\n")
      .slice(1, -1)
      .map((line) => line.split(",")[3]!);
  const day = ids(await run("export --table user_daily --date 2026-07-29 --metric connected --format csv --out mart"));
  expect(day).toHaveLength(USERS);
  expect(day).toEqual([...new Set(day)].sort());
  await run("rollup --week 2026-W31 --metric connected --missing-days 6 --out mart");
  expect(ids(await run("export --table user_weekly --week 2026-W31 --format csv --out mart"))).toEqual(day);
});
