/** Verdicts and exit codes: 0 (pass, warn), 4 (fail), 3 (not comparable, or a file that cannot be compared), 2 (usage). */
import { beforeAll, describe, expect, test } from "vitest";
import { type DriftPlace, driftPlace, usersOnline } from "./support.ts";

let place: DriftPlace;
beforeAll(async () => {
  // A thousand users of 1000 s each.
  const seconds = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`u${i}`, 1000]));
  place = await driftPlace(usersOnline(seconds), { metrics: ["connected", "foreground"] });
}, 240_000);

/** The exact figures but for the first users' changes, in seconds. */
function realtime(...changes: number[]): string {
  const rows = Array.from({ length: 1000 }, (_, i) => `u${i},${1000 + (changes[i] ?? 0)}`);
  return place.write("realtime.csv", `user_id,online_seconds\n${rows.join("\n")}\n`);
}
const gate = (document: { compared: { gates: { gate: string; verdict: string }[] } }, name: string) =>
  document.compared.gates.find((each) => each.gate === name);
const CONNECTED = ["--metric", "connected"];

test("exact figures pass with 0 ms and exit 0", async () => {
  const file = realtime();
  expect(await place.json(file, ...CONNECTED)).toMatchObject({
    verdict: "pass",
    compared: {
      totals: { offline: 1_000_000_000, realtime: 1_000_000_000, difference: 0, share: 0 },
      counts: { compared: 1000, equal: 1000, over: 0, near: 0, offlineOnly: 0, realtimeOnly: 0 },
      worst: [],
    },
  });
  expect(await place.drift(file, ...CONNECTED)).toMatchObject({ code: 0, stderr: "" });
});

describe("the total:", () => {
  test.each([
    [2500, "pass", 0],
    [2501, "warn", 0],
    [5000, "warn", 0],
    [5001, "fail", 4],
    [-5001, "fail", 4],
  ])("%d s of 1,000,000 are a %s", async (seconds, verdict, code) => {
    // Shared out so that no user is over by itself.
    const share = Math.trunc(seconds / 1000);
    const changes = Array.from({ length: 1000 }, () => share);
    changes[0] = seconds - share * 999;
    const ran = await place.drift(realtime(...changes), ...CONNECTED, "--max-user-drift", "100%");
    expect(ran.code).toBe(code);
    expect(ran.stdout).toMatch(`verdict: ${verdict}\n`);
    if (code === 4)
      expect(ran.stderr).toMatch(/^error: difference of the totals, of the offline total: 0\.5\d*% of at most 0\.5%\n/);
  });
});

describe("users:", () => {
  test("a user is over above 5 % and above 60 s, of which one in a thousand is allowed, with a warning", async () => {
    const one = await place.json(realtime(61, -60), ...CONNECTED);
    expect(one).toMatchObject({ verdict: "warn", compared: { counts: { over: 1, near: 2 } } });
    expect(gate(one, "over")).toMatchObject({ measured: 0.001, limit: 0.001, verdict: "warn" });
    expect(one.compared.worst).toMatchObject([
      { subject: "u0", offline: 1_000_000, realtime: 1_061_000, difference: 61_000, share: 0.061, over: true },
      { subject: "u1", difference: -60_000, share: -0.06, over: false },
    ]);
    const two = await place.drift(realtime(61, -61), ...CONNECTED);
    expect(two).toMatchObject({
      code: 4,
      stderr: /^error: users whose difference is over, of all: 0\.2% of at most 0\.1%\n/,
    });
  });

  test("both parts of the limit must be exceeded, and each can be set alone", async () => {
    const over = async (...limit: string[]) =>
      (await place.json(realtime(90), ...CONNECTED, ...limit)).compared.counts.over as number;
    expect(await over()).toBe(1);
    expect(await over("--max-user-drift", "10%")).toBe(0);
    expect(await over("--max-user-drift", "90s")).toBe(0);
    expect(await over("--max-user-drift", "8.9%, 89999ms")).toBe(1);
    expect(await over("--max-user-drift", "9%,0")).toBe(0);
  });

  test("beyond half of the limit they warn", async () => {
    const document = await place.json(realtime(31, 31), ...CONNECTED);
    expect(gate(document, "over")).toMatchObject({ measured: 0, verdict: "pass" });
    expect(gate(document, "near")).toMatchObject({ measured: 0.002, verdict: "warn" });
    expect(document.verdict).toBe("warn");
  });

  test("whoever is on one side only stays, with the whole difference", async () => {
    const rows = Array.from({ length: 998 }, (_, i) => `u${i},1000`);
    const file = place.write("parts.csv", `user_id,online_seconds\n${rows.join("\n")}\nnobody,70\nzero,0\n`);
    const { compared } = await place.json(file, ...CONNECTED);
    expect(compared.counts).toMatchObject({ compared: 1002, equal: 999, offlineOnly: 2, realtimeOnly: 2 });
    expect(compared.worst).toMatchObject([
      { subject: "u998", offline: 1_000_000, realtime: null, difference: -1_000_000, share: -1 },
      { subject: "u999", offline: 1_000_000, realtime: null, difference: -1_000_000 },
      { subject: "nobody", offline: null, realtime: 70_000, difference: 70_000, share: null, over: true },
    ]);
  });

  test("a file without rows lacks everybody", async () => {
    const { code, stdout } = await place.drift(place.write("none.csv", "user_id,online_ms\n"), ...CONNECTED);
    expect(code).toBe(4);
    expect(stdout).toMatch("1,000 users compared: 0 equal, 1,000 over, 1,000 offline only");
  });

  test("--worst says how many of the largest are told", async () => {
    const { compared } = await place.json(realtime(1, 2, 3, 4), ...CONNECTED, "--worst", "2");
    expect(compared.worst.map(({ subject }: { subject: string }) => subject)).toEqual(["u3", "u2"]);
  });
});

describe("not comparable (exit 3), and no drift:", () => {
  test.each([
    [
      "another definition",
      "user_id,online_ms,metric\nu1,5,active\n",
      CONNECTED,
      /of active, the offline ones of connected@1/,
    ],
    [
      "another version",
      "user_id,online_ms,metric,version\nu1,5,connected,2\n",
      CONNECTED,
      /of connected@2, .* connected@1/,
    ],
    ["another version in one", "user_id,online_ms,metric\nu1,5,connected@2\n", CONNECTED, /of connected@2/],
    ["other dates", "user_id,online_ms,date\nu1,5,2024-01-14\n", CONNECTED, /of other dates than 2024-01-15/],
    [
      "other days",
      "user_id,online_ms\nu1,5\n",
      [...CONNECTED, "--realtime-tz", "Asia/Shanghai"],
      /days of Asia\/Shanghai/,
    ],
  ])("%s", async (_, text, more, message) => {
    const ran = await place.drift(place.write("other.csv", text), ...more);
    expect(ran).toMatchObject({ code: 3, stderr: /^error: not comparable: / });
    expect(ran.stderr).toMatch(message);
    expect(ran.stdout).toMatch(/^verdict: not comparable$/m);
    expect(ran.stdout).not.toMatch("%");
  });

  test("a zone with the same day is the same", async () => {
    const ran = await place.drift(realtime(), ...CONNECTED, "--realtime-tz", "Africa/Abidjan");
    expect(ran).toMatchObject({ code: 0 });
  });

  test("a file that says what it is of needs no --metric", async () => {
    const file = place.write("said.csv", "user_id,online_ms,metric\nu1,1000000,foreground\n");
    expect(await place.json(file)).toMatchObject({ metric: "foreground", version: 1 });
  });
});

describe("usage (exit 2):", () => {
  test.each([
    [["--metric", "connected", "--metric", "active"], /one definition at a time/],
    [["--metric", "Connected"], /must be a definition of the mart/],
    [[], /--metric is missing: 2024-01-15 has connected@1, foreground@1/],
    [[...CONNECTED, "--max-total-drift", "5"], /--max-total-drift: "5" is not a share/],
    [[...CONNECTED, "--max-user-drift", "5%,1%"], /--max-user-drift: .* is no limit such as 5%,60s/],
    [[...CONNECTED, "--max-user-drift", "5%,60"], /--max-user-drift: .* is not a duration/],
    [[...CONNECTED, "--max-minute-drift", "5%,ten"], /--max-minute-drift: .* is no number of users/],
    [[...CONNECTED, "--tolerance", "1"], /--tolerance: /],
    [[...CONNECTED, "--realtime-tz", "CET"], /--realtime-tz: time zone "CET"/],
    [[...CONNECTED, "--within", "60s"], /--within goes with a dump of user_id and score only/],
    [[...CONNECTED, "--worst", "0"], /--worst: /],
  ])("%j", async (more, message) => {
    const ran = await place.drift(realtime(), ...more);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(message);
  });

  test.each([
    [["drift", "--realtime", "x.csv", "--out", "mart"], /--date is missing/],
    [["drift", "--date", "2024-01-15", "--out", "mart"], /--realtime is missing/],
    [["drift", "--date", "2024-01-15", "--realtime", "x.csv"], /--out is missing/],
    [
      ["drift", "--date", "2024-01-15", "--realtime", "s3://b/x.csv", "--out", "mart"],
      /must be a file of this machine/,
    ],
    [["drift", "--last", "3", "--realtime", "x.csv", "--out", "mart"], /--date is missing: one day at a time/],
    [["drift", "--history", "--realtime", "x.csv", "--out", "mart"], /--realtime does not go with --history/],
  ])("%j", async (args, message) => {
    const ran = await place.command(...args);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(message);
  });

  test("a folder that is no mart", async () => {
    realtime();
    const ran = await place.command("drift", "--date", "2024-01-15", "--realtime", "realtime.csv", "--out", "nowhere");
    expect(ran).toMatchObject({ code: 2, stderr: /there is no mart in / });
  });
});

test("a day or definition that was not built is no drift (exit 3)", async () => {
  const file = realtime();
  expect(await place.drift(file, "--metric", "capped")).toMatchObject({
    code: 3,
    stderr: /has no 2024-01-15 of capped, but connected@1, foreground@1\n.*rebuild/,
  });
  const other = ["drift", "--date", "2024-01-16", "--realtime", file, "--out", "mart"];
  expect(await place.command(...other)).toMatchObject({
    code: 3,
    stderr: /has no 2024-01-16\n.*rebuild --date 2024-01-16/,
  });
});
