import { expect, test } from "vitest";
import { printable } from "../../src/cli/ansi.ts";
import { bytes, clocks, count, countOf, dayList, seconds, share } from "../../src/cli/format.ts";

test("counts have thousands separators", () => {
  expect([0, 999, 1_000, 1_234_567, 9_007_199_254_740_991].map(count)).toEqual([
    "0",
    "999",
    "1,000",
    "1,234,567",
    "9,007,199,254,740,991",
  ]);
  expect([countOf(1, "day"), countOf(0, "day"), countOf(1_000, "file")]).toEqual(["1 day", "0 days", "1,000 files"]);
});

test("times are exact, and all of a column have milliseconds or none", () => {
  expect(clocks([0, 3_599_000, 4_442_706_000])).toEqual(["0:00:00", "0:59:59", "1,234:05:06"]);
  expect(clocks([1, 3_599_999, 86_400_000])).toEqual(["0:00:00.001", "0:59:59.999", "24:00:00.000"]);
});

test("shares never round to none or all", () => {
  expect([share(0, 0), share(0, 9), share(9, 9), share(1, 3), share(1, 1e6), share(999_999, 1e6)]).toEqual([
    "–",
    "0%",
    "100%",
    "33.33%",
    "<0.01%",
    ">99.99%",
  ]);
});

test("sizes and seconds", () => {
  expect([0, 999, 1_000, 999_949, 999_950, 12_345_678, 5e12].map(bytes)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "999.9 kB",
    "1.0 MB",
    "12.3 MB",
    "5.0 TB",
  ]);
  expect([0, 0.01, 12.34].map(seconds)).toEqual(["0.0", "<0.1", "12.3"]);
});

test("lists of days stay short", () => {
  expect(dayList(["2026-07-01", "2026-07-02"])).toBe("2026-07-01, 2026-07-02");
  expect(dayList(["2026-07-01", "2026-07-02", "2026-07-03", "2026-07-05"])).toBe(
    "4 days from 2026-07-01 to 2026-07-05",
  );
});

test("control characters are written out, line breaks are spaces", () => {
  expect(printable("a\r\n  b\x1b[2J\x9bK\u202ec\td")).toBe("a b\\u001b[2J\\u009bK\\u202ec\\u0009d");
  expect(printable("名字 – é")).toBe("名字 – é");
});
