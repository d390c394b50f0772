import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readHead } from "../../src/publish/commit.ts";
import { LocalStore } from "../../src/storage/local-store.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { status } from "../../src/usecases/status.ts";
import { build, effects, NOW, published, rebuildOptions } from "./mart-tools.ts";
import { DAY, SmallLake, tempFolder } from "./small-lake.ts";

const disk = mkdtempSync(join(tmpdir(), "small-disk-"));
const mount = (...args: string[]) => spawnSync("mount", args).status === 0;
const canMount = mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", disk);
const lake = new SmallLake(tempFolder("lake-"));
let wanted: Record<string, string>;

beforeAll(async () => {
  await lake.add(10, ["a", "b"]);
  const out = join(tempFolder(), "mart");
  await build(lake.folder, out);
  wanted = published(out, { mtimes: false });
});
afterAll(() => {
  if (canMount) spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

const resize = (size: string) => mount("-o", `remount,rw,size=${size}`, disk);

describe.skipIf(!canMount)("a disk of its own for the mart", () => {
  test.each(["16k", "64k", "100k"])(
    "that is full at %s: exit 1, nothing half-published, and a rerun mends it",
    async (size) => {
      const out = join(disk, "mart");
      rmSync(out, { recursive: true, force: true });
      expect(resize(size)).toBe(true);
      await expect(build(lake.folder, out)).rejects.toMatchObject({ exitCode: 1, message: /no space left/ });
      expect(await readHead(new LocalStore(out), DAY)).toBeNull();
      expect(published(out)).toEqual({});
      resize("4m");
      await build(lake.folder, out);
      expect(published(out, { mtimes: false })).toEqual(wanted);
    },
  );

  test("that is read-only: exit 2 before anything is read", async () => {
    resize("4m");
    const out = join(disk, "read-only");
    mkdirSync(out);
    mount("-o", "remount,ro", disk);
    const told: string[] = [];
    const watching = effects({ progress: ({ kind }) => void told.push(kind) });
    await expect(rebuild(rebuildOptions(lake.folder, out), watching)).rejects.toMatchObject({
      exitCode: 2,
      message: /read-only/,
    });
    expect(told).toEqual([]);
    mount("-o", "remount,rw", disk);
  });

  test("that fills up with the temporary data: exit 1, and the mart is as before", async () => {
    rmSync(join(disk, "mart"), { recursive: true, force: true });
    expect(resize("16k")).toBe(true);
    const out = join(tempFolder(), "mart");
    const failed = build(lake.folder, out, { tempDir: disk });
    await expect(failed).rejects.toThrow(/no space|ENOSPC/i);
    expect(published(out)).toEqual({});
  });
});

test("a mart on another file system than the temporary folder is the same", async () => {
  const tempDir = mkdtempSync(join(tmpdir(), "elsewhere-"));
  const out = join(tempFolder(), "mart");
  await build(lake.folder, out, { tempDir });
  expect(published(out, { mtimes: false })).toEqual(wanted);
  rmSync(tempDir, { recursive: true });
});

test("a mart that is a file: exit 2", async () => {
  const out = join(tempFolder(), "mart");
  writeFileSync(out, "");
  await expect(build(lake.folder, out)).rejects.toMatchObject({ exitCode: 2, message: /is a file/ });
  await expect(build(lake.folder, join(out, "below"))).rejects.toMatchObject({ exitCode: 2 });
});

test("a clock that jumps back changes neither the order of commits nor what is published", async () => {
  const own = new SmallLake(tempFolder("lake-"));
  await own.add(10, ["a"]);
  const out = join(tempFolder(), "mart");
  await rebuild(rebuildOptions(own.folder, out), effects({ nowMs: NOW + 1e10 }));
  await own.add(10, ["a", "b"]);
  const { days } = await rebuild(rebuildOptions(own.folder, out), effects({ nowMs: NOW }));
  expect(days[0]).toMatchObject({ published: "files", commit: 2 });
  const head = (await readHead(new LocalStore(out), DAY))!;
  expect(head.parts["connected@1"]!.run).toBe(days[0]!.runId);
  const view = { out, lake: own.folder, zone: null, metrics: null, eventTypes: [] };
  const { rows } = await status({ ...view, days: { kind: "date", date: DAY } }, effects());
  expect(rows.map(({ state }) => state)).toEqual(["current", "current"]);
});
