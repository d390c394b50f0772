import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { assertUnchanged } from "../../src/lake/recheck.ts";
import { atTen, DAY, openDuckdb, readLake, tempFolder, writeEvents } from "./support.ts";

const runSql = await openDuckdb();

it.each(["la[k]e", "l*ke", "l?ke", "it's a lake", "湖 ö", "la{k,}e", "back\\slash", "#%20 & +=", "[", "**"])(
  "reads a lake named %s (fault 39)",
  async (name) => {
    const root = tempFolder();
    await writeEvents(runSql, root, atTen("good.parquet"));
    // What a pattern would match instead, or besides.
    for (const decoy of ["lake", "lxke", "lakeke", "k"]) {
      cpSync(join(root, `event_date=${DAY}`), join(root, decoy, `event_date=${DAY}`), { recursive: true });
    }
    const lake = join(root, name);
    cpSync(join(root, `event_date=${DAY}`), join(lake, `event_date=${DAY}`), { recursive: true });
    const hour = join(lake, atTen(""));
    const other = name.includes("\\") ? "a\\b" : "[1]*?'";
    cpSync(join(hour, "good.parquet"), join(hour, `${other} ${name}.parquet`));
    writeFileSync(join(hour, "bad.parquet"), "");
    const { probe, events } = await readLake(runSql, lake);
    expect(probe.good).toHaveLength(2);
    expect(probe.bad).toMatchObject([{ relative: atTen("bad.parquet"), reason: "EMPTY_FILE" }]);
    expect(events).toHaveLength(2);
  },
);

it("reads 2,400 small files with 256 descriptors (fault 40)", async () => {
  const lake = tempFolder();
  const first = await writeEvents(runSql, lake, `dt=${DAY}/hr=0/p0000.parquet`, {}, 10);
  for (let hour = 0; hour < 24; hour++) {
    mkdirSync(join(lake, `dt=${DAY}/hr=${hour}`), { recursive: true });
    for (let part = 0; part < 100; part++) {
      const path = join(lake, `dt=${DAY}/hr=${hour}/p${String(part).padStart(4, "0")}.parquet`);
      if (path !== first) {
        cpSync(first, path);
      }
    }
  }
  const script = join(import.meta.dirname, "read-lake.ts");
  const tsx = join(import.meta.dirname, "../../node_modules/.bin/tsx");
  const command = `ulimit -n 256 && exec "$0" "$1" "$2"`;
  const output = execFileSync("sh", ["-c", command, tsx, script, lake], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({ good: 2400, bad: 0, events: 24_000, hours: 24 });
}, 30_000);

it("notices a file that changed or vanished since it was listed", async () => {
  const lake = tempFolder();
  const path = await writeEvents(runSql, lake, atTen("a.parquet"));
  const { listing } = await readLake(runSql, lake);
  await assertUnchanged(listing.files);
  utimesSync(path, new Date(), new Date(Date.now() + 1));
  const refused = (what: string) => ({ exitCode: 3, message: `${atTen("a.parquet")} ${what} while it was read` });
  await expect(assertUnchanged(listing.files)).rejects.toMatchObject(refused("changed"));
  rmSync(path);
  await expect(assertUnchanged(listing.files)).rejects.toMatchObject(refused("vanished"));
  expect(readdirSync(join(lake, atTen("")))).toEqual([]);
});

it("reads what a file holds now, not what it held when it was read before", async () => {
  const lake = tempFolder();
  for (const user of ["u1", "u2", "u3"]) {
    await writeEvents(runSql, lake, atTen("a.parquet"), { user_id: `'${user}'` });
    const { events } = await readLake(runSql, lake);
    expect(events.map((event) => event.user_id)).toEqual([user]);
  }
});
