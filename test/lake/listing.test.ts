import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LakeStore, localLakeStore } from "../../src/lake/lake-store.ts";
import { listLake } from "../../src/lake/listing.ts";
import { DAY, DAY_MS, HOUR_MS, TEN, tempFolder, WHOLE_DAY } from "./support.ts";

function lakeWith(...paths: string[]): string {
  const lake = tempFolder();
  for (const path of paths) {
    const target = join(lake, path);
    mkdirSync(path.endsWith("/") ? target : dirname(target), { recursive: true });
    if (!path.endsWith("/")) {
      writeFileSync(target, "x");
    }
  }
  return lake;
}

const relatives = (listing: { files: readonly { relative: string }[] }) => listing.files.map((file) => file.relative);

describe("partitions", () => {
  it("reads every accepted spelling, an hour with and without its zero (fault 34)", async () => {
    const listing = await listLake(
      lakeWith(
        "date=2026-07-29/hour=08/a.parquet",
        "dt=2026-07-29/hr=8/b.parquet",
        "event_date=2026-07-29/event_hour=10/c.parq",
      ),
      WHOLE_DAY,
    );
    expect(listing.files.map((file) => [file.relative, (file.hourMs - DAY_MS) / HOUR_MS])).toEqual([
      ["date=2026-07-29/hour=08/a.parquet", 8],
      ["dt=2026-07-29/hr=8/b.parquet", 8],
      ["event_date=2026-07-29/event_hour=10/c.parq", 10],
    ]);
    expect(listing.hours).toEqual([DAY_MS + 8 * HOUR_MS, TEN]);
    expect(listing.oddities).toEqual([]);
  });

  it("accepts one more level above, of any key, beside dates without it", async () => {
    const listing = await listLake(
      lakeWith(
        `source=web/dt=${DAY}/hr=10/a.parquet`,
        `source=__HIVE_DEFAULT_PARTITION__/dt=${DAY}/hr=10/b.parquet`,
        `dt=${DAY}/hr=11/c.parquet`,
        `source=web/region=eu/dt=${DAY}/hr=10/d.parquet`,
      ),
      WHOLE_DAY,
    );
    expect(relatives(listing)).toEqual([
      `dt=${DAY}/hr=11/c.parquet`,
      `source=__HIVE_DEFAULT_PARTITION__/dt=${DAY}/hr=10/b.parquet`,
      `source=web/dt=${DAY}/hr=10/a.parquet`,
    ]);
    expect(listing.oddities).toEqual([{ path: "source=web/region=eu", reason: "a second level above the date" }]);
  });

  it("takes Hive's escapes", async () => {
    const listing = await listLake(lakeWith("event_date=2026%2D07%2D29/event_hour=10/a.parquet"), WHOLE_DAY);
    expect(listing.hours).toEqual([TEN]);
  });

  it("sorts by the UTF-8 bytes of the path", async () => {
    const names = ["\u{1F600}.parquet", "\uFF5E.parquet", "Z.parquet", "a.parquet", "é.parquet"];
    const listing = await listLake(lakeWith(...names.map((name) => `dt=${DAY}/hr=10/${name}`)), WHOLE_DAY);
    expect(relatives(listing).map((path) => path.split("/")[2])).toEqual([
      "Z.parquet",
      "a.parquet",
      "é.parquet",
      "\uFF5E.parquet",
      "\u{1F600}.parquet",
    ]);
  });

  it("lists the overlapping hours only, and no folder of another date", async () => {
    const lake = lakeWith(
      ...["2026-07-28", DAY, "2026-07-30"].flatMap((day) =>
        [9, 10, 11].map((hour) => `dt=${day}/hr=${hour}/a.parquet`),
      ),
    );
    const listed: string[] = [];
    const local = localLakeStore(lake);
    const store: LakeStore = {
      ...local,
      list: (folder) => {
        listed.push(folder);
        return local.list(folder);
      },
    };
    const listing = await listLake(lake, { fromMs: TEN + 1, toMs: TEN + HOUR_MS }, store);
    expect(relatives(listing)).toEqual([`dt=${DAY}/hr=10/a.parquet`]);
    expect(listed).toEqual(["", `dt=${DAY}`, `dt=${DAY}/hr=10`]);
  });
});

describe("what is no data", () => {
  it("is silent about names that begin with _ or . (fault 38)", async () => {
    const listing = await listLake(
      lakeWith(
        ".DS_Store",
        "_delta_log/0.json",
        `dt=${DAY}/_x/y.parquet`,
        ...["a.parquet", "_SUCCESS", ".a.parquet.crc", "_temporary.parquet", "._b.parquet"].map(
          (name) => `dt=${DAY}/hr=10/${name}`,
        ),
      ),
      WHOLE_DAY,
    );
    expect(relatives(listing)).toEqual([`dt=${DAY}/hr=10/a.parquet`]);
    expect(listing.oddities).toEqual([]);
  });

  it("knows an hour by a data file or _SUCCESS, not by an empty folder", async () => {
    const listing = await listLake(
      lakeWith(`dt=${DAY}/hr=9/`, `dt=${DAY}/hr=10/_SUCCESS`, `dt=${DAY}/hr=11/a.parquet`),
      WHOLE_DAY,
    );
    expect(listing.hours).toEqual([TEN, TEN + HOUR_MS]);
  });

  it("reports everything else (fault 35)", async () => {
    const lake = lakeWith(
      `dt=${DAY}/hr=10/a.SNAPPY.PARQUET`,
      `dt=${DAY}/hr=10/readme.txt`,
      `dt=${DAY}/hr=10/part-00000`,
      `dt=${DAY}/hr=10/more/b.parquet`,
      `dt=${DAY}/hr=24/c.parquet`,
      `dt=${DAY}/hr=__HIVE_DEFAULT_PARTITION__/d.parquet`,
      `dt=${DAY}/loose.parquet`,
      `dt=${DAY}/minute=3/e.parquet`,
      "date=unknown/hour=1/f.parquet",
      "dt=2026-02-30/hr=1/g.parquet",
      "event_date=__HIVE_DEFAULT_PARTITION__/event_hour=1/h.parquet",
      "hour=3/i.parquet",
      "backup/j.parquet",
      "k.parquet",
    );
    execFileSync("mkfifo", [join(lake, `dt=${DAY}/hr=10/pipe.parquet`)]);
    symlinkSync("nowhere", join(lake, `dt=${DAY}/hr=11`));
    const listing = await listLake(lake, WHOLE_DAY);
    expect(relatives(listing)).toEqual([`dt=${DAY}/hr=10/a.SNAPPY.PARQUET`]);
    expect(Object.fromEntries(listing.oddities.map(({ path, reason }) => [path, reason]))).toEqual({
      [`dt=${DAY}/hr=10/readme.txt`]: "its name does not end in .parquet or .parq",
      [`dt=${DAY}/hr=10/part-00000`]: "its name does not end in .parquet or .parq",
      [`dt=${DAY}/hr=10/more`]: "a folder inside an hour",
      [`dt=${DAY}/hr=10/pipe.parquet`]: "neither file nor folder",
      [`dt=${DAY}/hr=11`]: "a broken link where partition folders are expected",
      [`dt=${DAY}/hr=24`]: '"24" is no hour (00 to 23)',
      [`dt=${DAY}/hr=__HIVE_DEFAULT_PARTITION__`]: "the partition key is null",
      [`dt=${DAY}/loose.parquet`]: "a file where partition folders are expected",
      [`dt=${DAY}/minute=3`]: "no hour: a date holds event_hour=HH folders only",
      "date=unknown": '"unknown" is no date (YYYY-MM-DD)',
      "dt=2026-02-30": '"2026-02-30" is no date (YYYY-MM-DD)',
      "event_date=__HIVE_DEFAULT_PARTITION__": "the partition key is null",
      "hour=3": "an hour without a date above it",
      backup: "no partition folder (key=value)",
      "k.parquet": "a file where partition folders are expected",
    });
  });
});

it("follows links to files and folders, and keeps a broken one as a file of its own", async () => {
  const elsewhere = lakeWith("hr=10/a.parquet", "b.parquet");
  const lake = lakeWith(`dt=${DAY}/hr=11/_SUCCESS`);
  symlinkSync(join(elsewhere, "hr=10"), join(lake, `dt=${DAY}/hr=10`));
  symlinkSync(join(elsewhere, "b.parquet"), join(lake, `dt=${DAY}/hr=11/b.parquet`));
  symlinkSync("nowhere", join(lake, `dt=${DAY}/hr=11/c.parquet`));
  const listing = await listLake(lake, WHOLE_DAY);
  expect(listing.files).toMatchObject([
    { relative: `dt=${DAY}/hr=10/a.parquet`, bytes: 1 },
    { relative: `dt=${DAY}/hr=11/b.parquet`, bytes: 1 },
    { relative: `dt=${DAY}/hr=11/c.parquet`, bytes: 0, inode: 0n },
  ]);
  expect(listing.files.every((file) => file.path === join(lake, file.relative))).toBe(true);
});

describe("a lake that cannot be listed (exit 3)", () => {
  it.each([
    ["is not there", () => join(tempFolder(), "missing"), /Lake not found/],
    ["is a file", () => join(lakeWith("lake"), "lake"), /is no folder/],
    ["is empty", () => tempFolder(), /expected .*event_date=YYYY-MM-DD.*found nothing/],
    ["has no partitions", () => lakeWith("b/x", "a/x", "d/x", "c.parquet"), /found a, b, c\.parquet, … \(4 entries\)/],
    ["has unreadable dates only", () => lakeWith("date=unknown/hour=1/x.parquet"), /found date=unknown/],
  ])("%s", async (_, make, message) => {
    await expect(listLake(make(), WHOLE_DAY)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(message),
    });
  });

  it("is one date of a lake", async () => {
    const lake = join(lakeWith(`dt=${DAY}/hr=10/a.parquet`), `dt=${DAY}`);
    await expect(listLake(lake, WHOLE_DAY)).rejects.toMatchObject({
      exitCode: 3,
      hint: expect.stringContaining("the folder above"),
    });
  });

  it("may not be read", async () => {
    const lake = lakeWith(`dt=${DAY}/hr=10/a.parquet`);
    const hour = join(lake, `dt=${DAY}/hr=10`);
    chmodSync(lake, 0o755);
    chmodSync(hour, 0);
    // Nothing is forbidden to root: for this one listing the process is nobody.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await expect(listLake(lake, WHOLE_DAY)).rejects.toMatchObject({
        exitCode: 3,
        message: expect.stringMatching(/No permission .*hr=10/),
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(hour, 0o700);
    }
  });
});
