import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration } from "../../../src/plan/duration.ts";
import { parseShare } from "../../../src/plan/percent.ts";
import { parseSize } from "../../../src/plan/size.ts";
import { nearest } from "../../../src/plan/suggest.ts";
import { usageFault } from "./faults.ts";

describe("durations", () => {
  test.each([
    ["0", 0],
    ["0s", 0],
    ["500ms", 500],
    ["90s", 90_000],
    ["5m", 300_000],
    ["90m", 5_400_000],
    ["24h", 86_400_000],
    ["1h30m", 5_400_000],
    ["1h2m3s4ms", 3_723_004],
  ])("%s", (text, ms) => expect(parseDuration(text)).toBe(ms));

  test.each([
    ["", "is not a duration"],
    ["90", "write 90s or 90ms"],
    ["1d", "write 24h"],
    ["1.5h", "write whole numbers"],
    ["5 m", "write 5m"],
    ["5M", "write 5m"],
    ["30m1h", "is not a duration"],
    ["-5m", "is not a duration"],
    ["5min", "is not a duration"],
    ["99999999999999h", "too long"],
  ])("%j is refused", (text, why) => expect(usageFault(() => parseDuration(text)).text).toContain(why));

  test("are written as people write them", () => {
    const written = [0, 1, 500, 1_500, 90_000, 120_000, 300_000, 5_400_000, 86_400_000, 3_723_004].map(formatDuration);
    expect(written).toEqual(["0", "1ms", "500ms", "1500ms", "90s", "2m", "5m", "1h30m", "24h", "1h2m3s4ms"]);
  });

  test("read back as they were", () => {
    fc.assert(fc.property(fc.nat({ max: 10 ** 12 }), (ms) => parseDuration(formatDuration(ms)) === ms));
  });
});

describe("sizes", () => {
  test.each([
    ["400MB", 400_000_000],
    ["1GB", 1_000_000_000],
    ["1.5gb", 1_500_000_000],
    ["1GiB", 1_073_741_824],
    ["2 GiB", 2_147_483_648],
  ])("%s", (text, bytes) => expect(parseSize(text)).toBe(bytes));

  test.each(["", "400", "0GB", "-1GB", "1XB", "60%", "GB"])("%j is refused", (text) =>
    expect(usageFault(() => parseSize(text)).text).toContain("is not a size such as 400MB"),
  );
});

describe("shares", () => {
  test.each([
    ["5%", 0.05],
    ["0.5%", 0.005],
    ["0.7 %", 0.007],
    ["0.05", 0.05],
    ["0", 0],
    ["100%", 1],
  ])("%s", (text, share) => expect(parseShare(text)).toBe(share));

  test.each(["", "101%", "-1%", "x", "1e-2"])("%j is refused", (text) =>
    expect(usageFault(() => parseShare(text)).text).toContain("is not a share such as 5%"),
  );

  test.each(["1", "5"])("a bare %s could mean anything", (text) =>
    expect(usageFault(() => parseShare(text)).text).toContain(`write ${text}% if that is meant`),
  );
});

test("the nearest name is found across case, separators and slips, and nothing far away", () => {
  const names = ["foreground", "active", "gap", "missingHours"];
  expect(nearest("foregruond", names)).toBe("foreground");
  expect(nearest("missing-hours", names)).toBe("missingHours");
  expect(nearest("Active", names)).toBe("active");
  expect(nearest("something", names)).toBeUndefined();
});
