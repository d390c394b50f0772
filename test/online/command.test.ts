import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Workplace, workplace } from "../explain/workplace.ts";

let place: Workplace;
beforeAll(async () => {
  place = await workplace();
}, 120_000);
afterAll(() => place.remove());

const ask = (at: string, ...more: string[]) =>
  place.command("online", "--at", at, "--lake", "lake", ...(more.includes("--tz") ? [] : ["--out", "mart"]), ...more);
const answer = async (at: string, ...more: string[]) => {
  const { code, stdout, stderr } = await ask(at, "--json", ...more);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

describe("online --at", () => {
  test("lists who was online, in what state, and agrees with the mart", async () => {
    const { code, stdout } = await ask("2024-01-15T10:00:45Z", "--metric", "connected");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2024-01-15 10:00:45\.000 \+00:00 \(UTC\): \d+ users? online under connected@1, in /);
    expect(stdout).toMatch(/\nThe mart says the same \(run /);
    expect(stdout).toMatch(/\nuser +last seen +before +online since +devices +state +client\n/);
    const { users, online, mart } = await answer("2024-01-15T10:00:45Z", "--metric", "connected");
    expect(users).toBeGreaterThan(0);
    expect(online).toHaveLength(users);
    expect(mart).toMatchObject({ users, equal: true });
  });

  test("says the instant in any offset, and cuts below a millisecond", async () => {
    const one = await answer("2024-01-15T10:00:45Z");
    expect(await answer("2024-01-15 18:00:45.000999+08:00")).toEqual(one);
    expect(await answer("2024-01-15T18:00:45+0800")).toEqual(one);
  });

  test("tells that the mart does not have the definition", async () => {
    expect((await answer("2024-01-15T10:00:45Z", "--metric", "capped")).mart).toEqual({ kind: "not-built" });
  });

  test("--limit lists the users seen last", async () => {
    const all = await answer("2024-01-15T10:00:45Z", "--metric", "connected");
    const one = await answer("2024-01-15T10:00:45Z", "--metric", "connected", "--limit", "1");
    expect(one).toEqual({ ...all, online: all.online.slice(0, 1) });
  });

  test.each([
    ["10:00:45", /--at: "10:00:45" is no instant\nwrite 2026-07-29T20:00:00\+08:00, or /],
    ["2024-01-15T10:00:45", /--at: "2024-01-15T10:00:45" does not say its offset from UTC\n/],
    ["2024-02-30T10:00:45Z", /--at: "2024-02-30" is not a date of the calendar\n/],
    ["2031-01-15T10:00:45Z", /--at 2031-01-15T10:00:45Z lies in the future\n/],
  ])("refuses --at %s", async (at, message) => {
    const { code, stderr } = await ask(at);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  test("refuses two definitions, and an hour that the lake does not have", async () => {
    expect(await ask("2024-01-15T10:00:45Z", "--metric", "connected,foreground")).toMatchObject({ code: 2 });
    const { code, stderr } = await ask("2024-03-15T10:00:45Z");
    expect(stderr).toMatch(
      /lake does not have the hour 2024-03-15T10 \(UTC\) of 2024-03-15: who was online then is not known\n/,
    );
    expect(code).toBe(3);
  });
});
