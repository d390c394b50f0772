/** `diff`: two definitions, two commits of a date, two marts, and a definition's file that is counted for the comparison. */
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type DriftPlace, driftPlace, usersOnline } from "../drift/support.ts";
import { LakeBuilder } from "../oracle/build.ts";
import { build, publishedBytes, writeRows } from "../support/lake-on-disk.ts";

const DAY = ["--date", "2024-01-15", "--out", "mart"];
const LONG = `name: connected
version: 2
online: connected
gap: { max: 90s, credit: 30s }
tail: 60s
`;

let place: DriftPlace;
// biome-ignore lint/suspicious/noExplicitAny: the document's shape is its schema's matter
const diff = async (...args: string[]): Promise<any> => {
  const ran = await place.command("diff", ...args, "--json");
  if (ran.stdout === "") throw new Error(`exit ${ran.code}: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
};

beforeAll(async () => {
  const lake = new LakeBuilder();
  const on = (user_id: string, from: string, to: string, foreground: boolean, client_type: string) =>
    lake.beat(from, to, 30_000, {
      user_id,
      session_id: `s-${user_id}`,
      device_id: `d-${user_id}`,
      foreground,
      client_type,
    });
  on("u1", "10:00", "10:59:30", true, "web");
  on("u2", "10:00", "10:29:30", true, "ios").beat("10:30", "10:59:30", 30_000, {
    ...{ user_id: "u2", session_id: "s-u2", device_id: "d-u2", client_type: "ios", foreground: false },
  });
  on("u3", "10:00", "10:09:30", false, "ios");
  on("u1", "+1 10:00", "+1 10:19:30", true, "web");
  place = await driftPlace(lake, { metrics: ["connected", "foreground"] });
  await build(join(place.folder, "lake"), join(place.folder, "mart"), {
    date: "2024-01-16",
    metrics: ["connected", "foreground"],
  });
  place.write("long.yaml", LONG);
});

test("two definitions: totals, users, dimensions and movers, every share of base", async () => {
  const document = await diff("--base", "connected", "--head", "foreground", ...DAY);
  expect(document).toMatchObject({
    days: ["2024-01-15"],
    base: { metric: "connected", version: 1, counted: false, commit: null },
    head: { metric: "foreground", version: 1 },
    totals: {
      onlineMs: { base: 7_800_000, head: 5_400_000, change: -2_400_000, share: -2_400_000 / 7_800_000 },
      users: { base: 3, head: 2, change: -1, share: -1 / 3 },
      sessions: { base: 3, head: 2 },
    },
    users: { compared: 3, unchanged: 1, grown: 0, shrunk: 2, appeared: 0, vanished: 1 },
    movers: [
      { userId: "u2", baseMs: 3_600_000, headMs: 1_800_000, changeMs: -1_800_000, share: -0.5 },
      { userId: "u3", baseMs: 600_000, headMs: null, changeMs: -600_000, share: -1 },
    ],
    gate: null,
  });
  expect(document.dimensions.filter(({ dimension }: { dimension: string }) => dimension === "client_type")).toEqual([
    { dimension: "client_type", value: "ios", base: 4_200_000, head: 1_800_000, change: -2_400_000, share: -4 / 7 },
    { dimension: "client_type", value: "web", base: 3_600_000, head: 3_600_000, change: 0, share: 0 },
  ]);
  const rows = document.distribution.classes.map(
    ({ sign, rows: users }: { sign: number; rows: number }) => sign * users,
  );
  expect(rows.filter((users: number) => users !== 0)).toEqual([-1, -1]);
  expect(document.distribution.percentiles).toMatchObject({ p1Ms: -1_800_000, p50Ms: -600_000, p99Ms: 0 });
});

test("days as a range add up, users being the same people", async () => {
  const range = ["--from", "2024-01-15", "--to", "2024-01-16", "--out", "mart"];
  const { totals, users } = await diff("--base", "foreground", "--head", "connected", ...range);
  expect(totals).toMatchObject({ onlineMs: { base: 6_600_000, head: 9_000_000 }, users: { base: 2, head: 3 } });
  expect(totals.userDays).toMatchObject({ base: 3, head: 4 });
  expect(users).toMatchObject({ compared: 3, grown: 2, appeared: 1, vanished: 0 });
});

test("the tolerance says what is no change", async () => {
  const { users } = await diff("--base", "connected", "--head", "foreground", ...DAY, "--tolerance", "10m");
  expect(users).toMatchObject({ unchanged: 2, shrunk: 1, vanished: 0 });
});

test("two marts, each with its own definition", async () => {
  cpSync(join(place.folder, "mart"), join(place.folder, "other"), { recursive: true });
  const same = await diff("--base", "./mart", "--head", "./other", ...DAY, "--metric", "connected");
  expect(same).toMatchObject({ totals: { onlineMs: { change: 0 } }, users: { unchanged: 3 }, movers: [] });
  const own = await diff("--base", "./mart#connected", "--head", "./other#foreground@1", ...DAY);
  expect(own.totals.onlineMs.change).toBe(-2_400_000);
  await build(join(place.folder, "lake"), join(place.folder, "abroad"), { zone: "Asia/Tokyo" });
  const abroad = await place.command("diff", "--base", "./mart", "--head", "./abroad", ...DAY, "--metric", "connected");
  expect(abroad).toMatchObject({ code: 3, stderr: /^error: not comparable: .* days of UTC, .* of Asia\/Tokyo\n/ });
});

test("two commits of a date", async () => {
  const lake = usersOnline({ u1: 3600 });
  const own = await driftPlace(lake);
  const later = lake.beat("12:00", "12:30", 30_000, { user_id: "u9", session_id: "s9" }).events;
  await writeRows(
    later.filter(({ values }) => values.user_id === "u9"),
    join(own.folder, "lake"),
  );
  await build(join(own.folder, "lake"), join(own.folder, "mart"));
  const ran = await own.command("diff", "--base", "1", "--head", "2", ...DAY, "--json");
  expect(JSON.parse(ran.stdout)).toMatchObject({
    base: { commit: 1 },
    head: { commit: 2 },
    totals: { onlineMs: { base: 3_600_000, head: 5_430_000 } },
    users: { appeared: 1, vanished: 0 },
  });
  const none = await own.command("diff", "--base", "1", "--head", "7", ...DAY);
  expect(none).toMatchObject({ code: 2, stderr: /2024-01-15 has no commit 7 in / });
});

test("a definition's file is counted from the lake, and published nowhere", async () => {
  const before = publishedBytes(join(place.folder, "mart"));
  const temp = join(place.folder, "temp");
  const { mkdirSync } = await import("node:fs");
  mkdirSync(temp);
  const args = ["--base", "connected@1", "--head", "./long.yaml", ...DAY, "--lake", "lake", "--temp-dir", temp];
  const { head, totals, users } = await diff(...args);
  expect(head).toMatchObject({ metric: "connected", version: 2, counted: true });
  expect(totals.onlineMs).toMatchObject({ change: 90_000 });
  expect(users).toMatchObject({ grown: 3 });
  expect(publishedBytes(join(place.folder, "mart"))).toEqual(before);
  expect(readdirSync(temp)).toEqual([]);
  expect(existsSync(join(place.folder, "mart/_presence/definitions/connected@2.json"))).toBe(false);
});

test("--max-total-change is a gate: exit 4, and 0 where it holds", async () => {
  const gate = (share: string) =>
    place.command("diff", "--base", "connected", "--head", "foreground", ...DAY, "--max-total-change", share);
  expect(await gate("30%")).toMatchObject({ code: 4, stderr: "error: the total changes by 30.77%, at most 30% may\n" });
  expect(await gate("31%")).toMatchObject({ code: 0, stderr: "" });
});

describe("refused:", () => {
  test.each([
    [["--head", "foreground", ...DAY], 2, /--base is missing/],
    [["--base", "connected", "--head", "foreground", "--out", "mart"], 2, /which business days\?/],
    [
      ["--base", "connected", "--head", "mart", ...DAY],
      3,
      /no 2024-01-15 of mart, but connected@1, foreground@1\n.*\.\/mart\)/,
    ],
    [
      ["--base", "connected", "--head", "Foreground", ...DAY],
      2,
      /--head: "Foreground" is nothing that can be compared/,
    ],
    [["--base", "connected", "--head", "./mart#", ...DAY], 2, /--head: .* is nothing that can be compared/],
    [
      ["--base", "connected", "--head", "./long.yaml", ...DAY],
      2,
      /--lake is missing: \.\/long\.yaml is counted from the events/,
    ],
    [
      ["--base", "1", "--head", "connected", "--metric", "connected", "--last", "2", "--out", "mart"],
      2,
      /commit 1 of which date\?/,
    ],
    [
      ["--base", "./mart", "--head", "./mart", ...DAY],
      2,
      /--metric is missing: 2024-01-15 of .* has connected@1, foreground@1/,
    ],
    [
      ["--base", "connected", "--head", "foreground", "--from", "2024-01-15", "--to", "2024-01-17", "--out", "mart"],
      ...([3, /has no 2024-01-17\n/] as const),
    ],
  ] as const)("%j", async (args, code, message) => {
    const ran = await place.command("diff", ...args);
    expect(ran).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).toMatch(message);
  });
});
