import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { DAY, DAY_START, HOUR, LakeBuilder } from "../oracle/build.ts";
import { tempFolder, writeRows } from "../support/lake-on-disk.ts";
import { fixedEffects, optionsOf } from "../support/rebuild-options.ts";

/** 95 heartbeats and 5 rows that repeat one of them: 5 % of the day's events are duplicates. */
async function lakeWithDuplicates(): Promise<{ lake: string; out: string; date: string; missingHours: number }> {
  const folder = tempFolder();
  const rows = new LakeBuilder().beat("10:00", "10:47", 30_000);
  for (let copy = 0; copy < 5; copy++) rows.add("10:00", "HEARTBEAT", { event_id: "e0", sequence: 0 });
  return {
    lake: await writeRows(rows.events, join(folder, "lake")),
    out: join(folder, "mart"),
    date: DAY,
    missingHours: 23,
  };
}

const published = (out: string): boolean => existsSync(join(out, "user_daily"));

describe("the quarantine gate", () => {
  test("refuses (6) a day with a larger share, names the reasons, and publishes nothing", async () => {
    const given = await lakeWithDuplicates();
    await expect(rebuild(optionsOf({ ...given, maxQuarantined: 0.049 }), fixedEffects())).rejects.toMatchObject({
      exitCode: 6,
      message: expect.stringContaining("5.00 %"),
      hint: expect.stringContaining("DUPLICATE_EVENT 5"),
    });
    expect(published(given.out)).toBe(false);
  });

  test("lets exactly the share pass", async () => {
    const given = await lakeWithDuplicates();
    const result = await rebuild(optionsOf({ ...given, maxQuarantined: 0.05 }), fixedEffects());
    expect(result.days[0]?.events).toMatchObject({ owned: 100, accepted: 95, quarantined: { DUPLICATE_EVENT: 5 } });
    expect(published(given.out)).toBe(true);
  });

  test("warns above 1 %, reason by reason, whatever the gate", async () => {
    const told: string[] = [];
    await rebuild(optionsOf(await lakeWithDuplicates()), fixedEffects({ warn: (text) => told.push(text) }));
    expect(told).toContainEqual(expect.stringMatching(/5\.00 % of its events quarantined as DUPLICATE_EVENT \(5\)/));
  });
});

describe("hours and days that are not there yet", () => {
  test("more missing hours than allowed are refused (3), by name, with the option that accepts them", async () => {
    const given = await lakeWithDuplicates();
    await expect(rebuild(optionsOf({ ...given, missingHours: 22 }), fixedEffects())).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining("2024-01-15T00"),
      hint: expect.stringContaining("--missing-hours 23"),
    });
    expect(published(given.out)).toBe(false);
  });

  test("where the lake has nothing of the day, no option is offered: the day or the lake is wrong", async () => {
    const given = await lakeWithDuplicates();
    const other = { ...given, date: "2024-02-20", missingHours: 0 };
    await expect(rebuild(optionsOf(other), fixedEffects({ nowMs: DAY_START + 90 * 24 * HOUR }))).rejects.toMatchObject({
      exitCode: 3,
      hint: expect.not.stringContaining("--missing-hours"),
    });
  });

  test("what was not read, and may be the missing hour, is told with them", async () => {
    const given = await lakeWithDuplicates();
    const day = join(given.lake, readdirSync(given.lake)[0]!);
    mkdirSync(join(day, "event_hour=9h"));
    mkdirSync(join(day, "event_hour=11"));
    writeFileSync(join(day, "event_hour=11/x.csv"), "a");
    const odd = rebuild(optionsOf({ ...given, missingHours: 0 }), fixedEffects());
    await expect(odd).rejects.toMatchObject({
      exitCode: 3,
      hint: expect.stringMatching(
        /^Not read: \S+event_hour=11\/x\.csv \(.*\.parquet.*\), \S+=9h \(.*no hour.*\)\. Let/,
      ),
    });
  });

  test("allowed ones make the result incomplete", async () => {
    const result = await rebuild(optionsOf(await lakeWithDuplicates()), fixedEffects());
    expect(result.days[0]).toMatchObject({ complete: false });
  });

  const end = DAY_START + 24 * HOUR;
  test("a day is not over before its lookahead is (3)", async () => {
    const given = await lakeWithDuplicates();
    const early = fixedEffects({ nowMs: end + HOUR - 1 });
    await expect(rebuild(optionsOf(given), early)).rejects.toMatchObject({
      exitCode: 3,
      hint: expect.stringContaining("--allow-unfinished"),
    });
    const result = await rebuild(optionsOf({ ...given, allowUnfinished: true }), early);
    expect(result.days[0]).toMatchObject({ complete: false });
  });

  test("and is over from then on", async () => {
    const given = await lakeWithDuplicates();
    const result = await rebuild(optionsOf(given), fixedEffects({ nowMs: end + HOUR }));
    expect(result.days[0]?.incompleteBecause.join()).not.toContain("not over");
    expect(readdirSync(given.out)).toContain("user_daily");
  });
});
