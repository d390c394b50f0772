import { describe, expect, test } from "vitest";
import { NEEDED, recordingRebuild, runFake } from "./fakes.ts";

describe("usage errors: exit 2, one or two lines on stderr, nothing on stdout", () => {
  test.each<[args: string, line: RegExp]>([
    ["", /which command of presence-batch\? there are: rebuild, [a-z, ]*metrics/],
    ["metrics", /which command of presence-batch metrics\? there are: list, show, check/],
    ["rebild", /unknown command 'rebild'\n\(Did you mean rebuild\?\)/],
    ["metrics lst", /unknown command 'lst'\n\(Did you mean list\?\)/],
    ["help nonsense", /which command/],
    ["--jsn", /unknown option '--jsn'/],
    ["rebuild --metrics active", /unknown option '--metrics'\n\(Did you mean --metric\?\)/],
    ["rebuild --date", /option '--date <day>' argument missing/],
    ["rebuild 2026-07-29", /too many arguments/],
    ["metrics show", /missing required argument 'name'/],
    ["rebuild --date 2026-07-29 --lake l --out o", /--tz is missing.*\n.*--tz Asia\/Shanghai/],
    ["rebuild --date 2026-02-30 --lake l --out o --tz UTC", /--date: "2026-02-30" is not a date of the calendar\n/],
    ["rebuild --date 2026-07-29 --lake l --out o --tz Asia/Shangha", /--tz: .*Shangha/],
    [
      "rebuild --date 2026-07-29 --last 2 --lake l --out o --tz UTC",
      /--last: does not go with --date\n.*--from and --to/,
    ],
    ["rebuild --date 2026-07-29 --date 2026-07-30", /--date is given twice: 2026-07-29 and 2026-07-30\n/],
    ["sample --out a --tz UTC --out b", /--out is given twice: a and b\n/],
    ["rebuild --date 2026-07-29 --lake l --out l --tz UTC", /--out \S+ is the lake itself\n/],
    ["rebuild --date 2026-07-29 --lake l --out l/mart --tz UTC", /--out \S+ is a folder of the lake \S+\n/],
    ["explain --date 2026-07-29 --user u --lake l --tz UTC --limit 0", /--limit: must be a whole number/],
    ["quarantine --date 2026-07-29 --out m --limit x", /--limit: must be a whole number/],
    ["rebuild --config nowhere.yaml", /nowhere\.yaml: no such file/],
  ])("%s", async (line, message) => {
    const { usecase, options } = recordingRebuild();
    const { code, stdout, stderr } = await runFake(line.split(" ").filter(Boolean), { rebuild: usecase });
    expect({ code, stdout, asked: options.length }).toEqual({ code: 2, stdout: "", asked: 0 });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^error: [^\n]+\n([^\n]+\n)?$/);
  });

  test("a mart beside the lake is none, whatever its name begins with", async () => {
    const { usecase, options } = recordingRebuild();
    const args = ["rebuild", "--date", "2026-07-29", "--lake", "lake", "--out", "lake-mart", "--tz", "UTC"];
    expect(await runFake(args, { rebuild: usecase })).toMatchObject({ code: 0, stderr: "" });
    expect(options).toHaveLength(1);
  });

  test.each([
    ["PRESENCE_BATCH_TIMEZONE", "did you mean PRESENCE_BATCH_TZ?"],
    ["PRESENCE_BATCH_MISING_HOUR", "did you mean PRESENCE_BATCH_MISSING_HOURS?"],
    ["PRESENCE_BATCH_WHATEVER_ELSE", "unset it, or see rebuild --help for what there is"],
  ])("%s", async (name, hint) => {
    const { code, stderr } = await runFake(["rebuild", ...NEEDED], { io: { env: { [name]: "x" } } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `error: unknown environment variable ${name}\n${hint}\n` });
  });

  test("an unknown variable of the tool's own is one, too", async () => {
    const { code, stderr } = await runFake(["rebuild", ...NEEDED], { io: { env: { PRESENCE_BATCH_TZZ: "UTC" } } });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: unknown environment variable PRESENCE_BATCH_TZZ\ndid you mean PRESENCE_BATCH_TZ\?\n$/,
    );
  });
});
