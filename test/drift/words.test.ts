import { expect, test } from "vitest";
import { brief, clock, percent, signed, signedPercent } from "../../src/drift/words.ts";

test.each([
  [0, "0:00:00"],
  [30_250, "0:00:30.250"],
  [3_906_000, "1:05:06"],
  [3_600_000 * 1_234_567 + 1, "1,234,567:00:00.001"],
])("%d ms is %s", (ms, text) => expect(clock(ms)).toBe(text));

test("signs are said but of 0", () => {
  expect([signed(1000, "ms"), signed(-1000, "ms"), signed(0, "ms"), signed(-1200, "users")]).toEqual([
    ...["+0:00:01", "−0:00:01", "0:00:00", "−1,200"],
  ]);
});

test.each([
  [368_631_134, "+102:23 h"],
  [-368_631_134, "−102:23 h"],
  [645_591, "+0:10:45"],
  [30_250, "+0:00:30.250"],
  [0, "0:00:00"],
])("%d ms is in brief %s", (ms, text) => expect(brief(ms, "ms", true)).toBe(text));

test.each([
  [0, "0%"],
  [0.000_01, "<0.01%"],
  [0.0097, "0.97%"],
  [0.5, "50%"],
  [0.999_99, ">99.99%"],
  [1, "100%"],
  [12.345, "1,235%"],
])("a share of %d is %s", (share, text) => expect(percent(share)).toBe(text));

test("a share without a base is a dash", () => {
  expect([signedPercent(null), signedPercent(-0.5), signedPercent(0)]).toEqual(["–", "−50%", "0%"]);
});
