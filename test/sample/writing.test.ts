import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listLake } from "../../src/lake/listing.ts";
import { utcHours } from "../../src/plan/days.ts";
import { readPublished } from "../support/read-mart.ts";
import { freshFolder, hashes, writeSample } from "./support.ts";

const HOUR = 3_600_000;

test("the same seed gives the same bytes, whatever the threads; another seed gives other people", async () => {
  const folder = await freshFolder();
  const write = (name: string, seed: number, threads: number) =>
    writeSample({ out: join(folder, name), seed, threads, truth: true });
  const [one, two, other] = [await write("one", 7, 1), await write("two", 7, 2), await write("other", 8, 1)];
  const first = await hashes(join(folder, "one"));
  expect(Object.keys(first).length).toBe(one.files + 25 + 1);
  expect(await hashes(join(folder, "two"))).toEqual(first);
  expect(two.events).toBe(one.events);
  const otherHashes = await hashes(join(folder, "other"));
  const same = Object.entries(first).filter(([path, hash]) => path.endsWith(".parquet") && otherHashes[path] === hash);
  expect(same).toEqual([]);
  expect(other.events).not.toBe(one.events);
});

test("a day that is asked for again in a longer sample has the same people", async () => {
  const folder = await freshFolder();
  const noon = "event_date=2026-07-28/event_hour=04";
  await writeSample({ out: join(folder, "short") });
  await writeSample({ out: join(folder, "long"), days: 2 });
  const short = await hashes(join(folder, "short", noon));
  expect(await hashes(join(folder, "long", noon))).toEqual(short);
});

test("every hour of the days and of the one after is there, and nothing that is no lake", async () => {
  const out = join(await freshFolder(), "lake");
  // Half an hour off UTC, and 25 hours long.
  const result = await writeSample({ out, zone: "Australia/Lord_Howe", from: "2026-04-05", truth: true, users: 20 });
  const [from, to] = [Date.parse(result.completeFrom), Date.parse(result.completeTo)];
  const listing = await listLake(out, { fromMs: from, toMs: to });
  expect(listing.oddities).toEqual([]);
  expect(listing.hours).toEqual(utcHours(from, to));
  expect(to - from).toBeGreaterThanOrEqual(25.5 * HOUR);
  expect(result.businessDays).toEqual(["2026-04-05"]);
  expect((await readdir(out)).filter((name) => !name.startsWith("event_date="))).toEqual(["_truth"]);
});

test("files hold the contract's columns, times as UTC milliseconds, in the order of arrival", async () => {
  const out = join(await freshFolder(), "lake");
  await writeSample({ out });
  const rows = (await readPublished(out, "event_date=2026-07-28/event_hour=04")) as Record<string, unknown>[];
  const { event_id, user_id, event_type, server_time, ...rest } = rows[0]!;
  expect(event_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(user_id).toMatch(/^u\d{8}$/);
  expect(event_type).toMatch(/^[A-Z_]+$/);
  expect(Math.floor((server_time as number) / HOUR)).toBe(Date.UTC(2026, 6, 28, 4) / HOUR);
  expect(Object.keys(rest)).toEqual([
    ...["session_id", "sequence", "session_epoch", "device_id", "client_type", "channel", "app_version", "region"],
    ...["client_time", "last_active_at", "foreground", "active"],
  ]);
});

test("a folder that holds anything is left alone", async () => {
  const folder = await freshFolder();
  await mkdir(join(folder, "mine"));
  await writeFile(join(folder, "file"), "");
  await expect(writeSample({ out: folder })).rejects.toMatchObject({ exitCode: 2, message: /is not empty/ });
  await expect(writeSample({ out: join(folder, "file") })).rejects.toMatchObject({ exitCode: 2 });
  expect((await readdir(folder)).sort()).toEqual(["file", "mine"]);
});

test("a sample that is stopped leaves nothing behind", async () => {
  const folder = await freshFolder();
  const { sample } = await import("../../src/usecases/sample.ts");
  const controller = new AbortController();
  const options = { users: 60, days: 1, from: "2026-07-28", seed: 7, zone: "UTC", truth: true, threads: 1 };
  const stopped = sample(
    { ...options, out: join(folder, "lake"), memoryLimitBytes: null },
    { signal: controller.signal, progress: () => controller.abort(new Error("enough")) },
  );
  await expect(stopped).rejects.toThrow("enough");
  expect(await readdir(folder)).toEqual([]);
});
