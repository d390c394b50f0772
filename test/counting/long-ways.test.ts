/** Each shortcut of the SQL is exact: with everything sent the long way, random hostile lakes come to the same. */
import { describe, expect, test } from "vitest";
import { scenariosAlike } from "../fuzz/arbitrary.ts";
import { compareStages } from "../fuzz/compare.ts";
import { LONG_WAYS } from "../fuzz/long-ways.ts";
import { merge } from "../fuzz/merge.ts";

describe.each([31, 3100])("lakes of seed %i", (seed) => {
  const scenario = merge(scenariosAlike(seed, 8));

  test.each(Object.keys(LONG_WAYS))("without the shortcut of %s", async (relation) => {
    expect(await compareStages(scenario, (name) => name === relation)).toEqual([]);
  });

  test("without any", async () => {
    expect(await compareStages(scenario, () => true)).toEqual([]);
  });
});
