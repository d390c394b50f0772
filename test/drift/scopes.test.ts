/** Dimensions, minutes, and a sorted set at an instant; and the history of comparisons. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { LakeBuilder } from "../oracle/build.ts";
import { readPublished } from "../support/read-mart.ts";
import { type DriftPlace, driftPlace } from "./support.ts";

let place: DriftPlace;
beforeAll(async () => {
  const lake = new LakeBuilder();
  const on = (user_id: string, from: string, to: string, client_type: string | null) => {
    const values = { user_id, session_id: `s-${user_id}`, device_id: `d-${user_id}`, client_type };
    lake.beat(from, to, 30_000, values).add(to, "SESSION_CLOSE", values);
  };
  on("u1", "10:00", "11:00", "web");
  on("u2", "10:30", "10:50", "ios");
  on("u3", "10:40", "11:00", null);
  place = await driftPlace(lake);
});

describe("dimensions", () => {
  const EXACT = "client_type,web,3600000\nclient_type,ios,1200000\nclient_type,,1200000\n";

  test("the mart's own summary passes with 0 ms, all dimensions of it", async () => {
    const rows = (await readPublished(
      join(place.folder, "mart"),
      `daily_summary/metric=connected/version=1/date=2024-01-15`,
    )) as {
      dimension: string;
      value: string | null;
      online_ms: number;
    }[];
    const text = rows
      .map(({ dimension, value, online_ms }) => JSON.stringify({ dimension, value, online_ms }))
      .join("\n");
    const { verdict, scope, compared } = await place.json(place.write("summary.ndjson", text));
    expect({ verdict, scope }).toEqual({ verdict: "pass", scope: "dimensions" });
    expect(compared).toMatchObject({ totals: null, counts: { compared: rows.length, equal: rows.length } });
  });

  test("values that one side lacks stay; those of other dimensions are not missed", async () => {
    const file = place.write("values.csv", `dimension,value,online_ms\n${EXACT.replace("ios,1200000", "tv,5")}`);
    const { verdict, compared } = await place.json(file);
    expect(verdict).toBe("fail");
    expect(compared.counts).toMatchObject({ compared: 4, equal: 2, offlineOnly: 1, realtimeOnly: 1, over: 2 });
    expect(compared.worst).toMatchObject([
      { subject: "client_type", value: "ios", offline: 1_200_000, realtime: null, share: -1 },
      { subject: "client_type", value: "tv", offline: null, realtime: 5, share: null },
    ]);
    expect((await place.drift(file)).stdout).toMatch(/^client_type ios +0:20:00 +– +−0:20:00 +−100% +over$/m);
  });

  test("a column may be the dimension, and each value may be as far off as the total", async () => {
    const file = (web: number) => place.write("values.csv", `clientType,online_seconds\nweb,${web}\nios,1200\n,1200\n`);
    expect(await place.json(file(3600))).toMatchObject({ verdict: "pass", compared: { counts: { equal: 3 } } });
    expect(await place.json(file(3618))).toMatchObject({ verdict: "warn" });
    expect(await place.json(file(3619))).toMatchObject({ verdict: "fail" });
    expect(await place.json(file(3619), "--tolerance", "20s")).toMatchObject({ verdict: "pass" });
  });
});

describe("minutes", () => {
  const counts = async () =>
    (await readPublished(join(place.folder, "mart"), `minute_online/metric=connected/version=1/date=2024-01-15`)) as {
      minute_start: number;
      online_users: number | null;
      peak_users: number | null;
    }[];
  const known = async () => (await counts()).filter(({ online_users }) => online_users !== null);

  test("exact counts pass, as ms, as text and as peaks", async () => {
    const minutes = await known();
    expect(minutes).toHaveLength(120);
    const asMs = minutes.map(({ minute_start, online_users }) => `${minute_start},${online_users}`);
    const asText = minutes.map(
      ({ minute_start, online_users }) => `${new Date(minute_start).toISOString()},${online_users}`,
    );
    const asPeaks = minutes.map(({ minute_start, peak_users }) => `${minute_start},${peak_users}`);
    for (const [header, rows] of [
      ["minute_start,online_users", asMs],
      ["minute,online_users", asText],
      ["minute_start,peak_users", asPeaks],
    ] as const) {
      const document = await place.json(place.write("minutes.csv", `${header}\n${rows.join("\n")}\n`));
      expect(document).toMatchObject({
        ...{ verdict: "pass", scope: "minutes" },
        compared: { unit: "users", counts: { compared: 120, equal: 120 } },
      });
      expect(document.compared.minutes).toHaveLength(120);
    }
  });

  test("a minute that the file lacks counts as nobody, one that the mart does not know is left aside", async () => {
    const minutes = (await known()).slice(0, 59);
    const rows = minutes.map(({ minute_start, online_users }) => `${minute_start},${online_users}`);
    const file = place.write("minutes.csv", `minute_start,online_users\n${rows.join("\n")}\n2024-01-15T23:00:00Z,7\n`);
    const document = await place.json(file, "--max-minute-drift", "0%,0");
    expect(document.realtime.leftAside).toMatchObject({ otherMinutes: 1 });
    // The missing ones in which nobody was online are equal.
    expect(document.compared.counts).toMatchObject({ compared: 120, equal: 119, over: 1, offlineOnly: 61 });
    expect(document.compared.worst).toMatchObject([
      { subject: "2024-01-15T10:59:00.000Z", offline: 2, realtime: null, difference: -2, over: true },
    ]);
  });

  test("a minute is over above 5 % and above 10 users", async () => {
    const rows = (await known()).map(({ minute_start, online_users }) => `${minute_start},${online_users! + 11}`);
    const file = place.write("minutes.csv", `minute_start,online_users\n${rows.join("\n")}\n`);
    expect((await place.json(file)).compared.counts).toMatchObject({ over: 120 });
    expect((await place.json(file, "--max-minute-drift", "11")).compared.counts).toMatchObject({ over: 0, near: 120 });
  });
});

describe("a sorted set at an instant", () => {
  const dump = (...members: [string, number][]) =>
    place.write("dump.csv", `user_id,score\n${members.map((member) => member.join(",")).join("\n")}\n`);
  const at = (clock: string) => Date.parse(`2024-01-15T${clock}Z`);
  const AT = ["--at", "2024-01-15T10:45:00Z"];

  test("is compared with who was online then", async () => {
    const all = dump(["u1", at("10:45:00")], ["u2", at("10:44:30")], ["u3", 0]);
    expect(await place.json(all, ...AT)).toMatchObject({
      ...{ scope: "instant", at: "2024-01-15T10:45:00.000Z", day: "2024-01-15", verdict: "pass" },
      compared: { unit: "users", totals: { offline: 3, realtime: 3 }, counts: { compared: 3, equal: 3 } },
    });
    const others = dump(["u1", 0], ["nobody", 0]);
    const { verdict, compared } = await place.json(others, ...AT);
    expect(verdict).toBe("fail");
    expect(compared.counts).toMatchObject({ compared: 4, equal: 1, over: 3, offlineOnly: 2, realtimeOnly: 1 });
  });

  test("--within leaves old scores aside, in ms or in seconds", async () => {
    const file = dump(
      ["u1", at("10:44:30")],
      ["u2", at("10:44:01") / 1000],
      ["u3", at("10:44:00")],
      ["gone", at("10:50:00")],
    );
    const { realtime, compared } = await place.json(file, ...AT, "--within", "60s");
    expect(realtime.leftAside).toMatchObject({ otherScores: 2 });
    expect(compared.worst).toMatchObject([{ subject: "u3", realtime: null }]);
  });

  test("who came or went within the tolerance may be on either side", async () => {
    const edge = ["--at", "2024-01-15T10:50:00.200Z"];
    const [with2, without2] = [
      [
        ["u1", 0],
        ["u2", 0],
        ["u3", 0],
      ] as [string, number][],
      [
        ["u1", 0],
        ["u3", 0],
      ] as [string, number][],
    ];
    expect((await place.json(dump(...without2), ...edge)).verdict).toBe("pass");
    expect((await place.json(dump(...with2), ...edge)).verdict).toBe("fail");
    expect((await place.json(dump(...with2), ...edge, "--tolerance", "1s")).verdict).toBe("pass");
    expect((await place.json(dump(...without2), ...edge, "--tolerance", "1s")).verdict).toBe("pass");
  });

  test("needs --at, of the day that is named", async () => {
    const file = dump(["u1", 0]);
    expect(await place.drift(file)).toMatchObject({ code: 2, stderr: /--at is missing/ });
    const other = ["drift", "--date", "2024-01-14", ...AT, "--realtime", file, "--out", "mart"];
    expect(await place.command(...other)).toMatchObject({
      code: 2,
      stderr: /lies in 2024-01-15 of UTC, not in 2024-01-14/,
    });
  });
});

describe("the history", () => {
  test("has one small object for each comparison, not comparable ones too, and shows the trend", async () => {
    const own = await driftPlace(new LakeBuilder().beat("10:00", "11:00"));
    const file = (ms: number) => own.write("realtime.csv", `user_id,online_ms\nu1,${ms}\n`);
    await own.drift(file(3_630_000));
    await own.drift(file(3_700_000));
    await own.drift(file(5), "--no-record");
    await own.drift(file(5), "--realtime-tz", "Asia/Tokyo");
    const folder = join(own.folder, "mart/_presence/drift/date=2024-01-15");
    expect((await readdir(folder)).sort()).toEqual(["00000001.json", "00000002.json", "00000003.json"]);
    const { stdout, code } = await own.command("drift", "--history", "--out", "mart");
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^2024-01-15 +connected@1 +users +pass +1 +0 +0:00:00 +0%$/);
    expect(lines[2]).toMatch(/^2024-01-15 +connected@1 +users +fail +1 +0 +\+0:01:10 +\+1\.93% +█{20}$/);
    expect(lines[3]).toMatch(/^2024-01-15 +connected@1 +users +not comparable +0 +0 +–/);
    const other = await own.command("drift", "--history", "--out", "mart", "--date", "2024-01-16");
    expect(other.stdout).toMatch(/^no comparison so far in /);
    expect((await own.command("drift", "--history", "--out", "mart", "--metric", "active")).stdout).toMatch(/^no comp/);
  });
});
