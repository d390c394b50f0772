import { expect, test } from "vitest";
import { profileReport } from "../../src/cli/profile-report.ts";
import { DAY } from "./fakes.ts";

const PLAIN = { bold: (text: string) => text } as Parameters<typeof profileReport>[1];
const [STEP] = DAY.profile;

test("--profile has a column for all that a step took", () => {
  const [head, columns, step] = profileReport([DAY], PLAIN).split("\n");
  expect(head).toBe(`${DAY.day}, 12.340 s`);
  expect(columns).toBe("stage  step        seconds  share  rows in  rows out  peak memory  spilled");
  expect(step).toBe("day    user_daily    0.250   2.0%    1,234       567     200.0 MB");
});

test("--profile has no column of what an engine does not tell, and says who does", () => {
  const untold = { ...STEP!, rowsIn: null, rowsOut: null, peakRssBytes: null, spilledBytes: null };
  expect(profileReport([{ ...DAY, profile: [untold] }], PLAIN)).toBe(
    [
      `${DAY.day}, 12.340 s`,
      "stage  step        seconds  share",
      "day    user_daily    0.250   2.0%",
      "Rows, memory and spilled bytes of each step are shown by Spark's own UI and history server.",
      "",
    ].join("\n"),
  );
});
