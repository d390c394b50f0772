import { describe, expect, test } from "vitest";
import { parseZone } from "../../../src/plan/zone.ts";
import { usageFault } from "./faults.ts";

describe("a business zone", () => {
  test.each([
    "UTC",
    "Asia/Shanghai",
    "Asia/Kolkata",
    "Asia/Calcutta",
    "Europe/Kyiv",
    "US/Pacific",
    "Africa/Dar_es_Salaam",
    "America/Port-au-Prince",
    "America/Argentina/Buenos_Aires",
    "America/Argentina/ComodRivadavia",
    "Antarctica/DumontDUrville",
    "Australia/NSW",
    "Europe/Isle_of_Man",
  ])("%s", (name) => expect(parseZone(name)).toBe(name));

  test.each([
    ["", "Asia/Shanghai"],
    ["local", "never matters"],
    ["system", "never matters"],
    ["+08:00", "is an offset"],
    ["UTC+8", "is an offset"],
    ["GMT-5", "is an offset"],
    ["Etc/GMT+8", "is an offset"],
    ["Etc/UTC", "did you mean UTC?"],
    ["utc", "did you mean UTC?"],
    ["Z", "did you mean UTC?"],
    ["EST", "did you mean America/New_York?"],
    ["CST6CDT", "did you mean America/Chicago?"],
    ["CST", "America/Chicago or Asia/Shanghai"],
    ["asia/shanghai", "did you mean Asia/Shanghai?"],
    ["Asia/kolkata", "did you mean Asia/Kolkata?"],
    ["ASIA/KOLKATA", "did you mean Asia/Kolkata?"],
    ["Shanghai", "did you mean Asia/Shanghai?"],
    ["new york", "did you mean America/New_York?"],
    ["Asia/Shangai", "did you mean Asia/Shanghai?"],
    ["Asia/Beijing", "did you mean Asia/Shanghai?"],
    ["Singapore", "did you mean Asia/Singapore?"],
    ["Mars/Olympus", "give an IANA Area/City"],
    [" Asia/Shanghai", "did you mean Asia/Shanghai?"],
    ["constructor", "does not exist"],
  ])("%j is refused", (text, why) => expect(usageFault(() => parseZone(text)).text).toContain(why));

  test("every listed zone is accepted as it is spelled", () => {
    for (const name of Intl.supportedValuesOf("timeZone")) expect(parseZone(name)).toBe(name);
  });
});
