import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtinDefinitions } from "../../src/definitions/builtin.ts";
import { definitionId } from "../../src/definitions/resolve.ts";
import { runFake } from "./fakes.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "metrics-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const WATCHING = `name: watching
version: 2
online: watching and foreground
gap: { max: 90s, credit: 30s }
tail: 30s
states:
  watching: { on: [ROOM_ENTER], off: [ROOM_LEAVE] }
  busy: { column: activity, equals: ["1", "yes"] }
`;

describe("metrics list", () => {
  test("has a line for every built-in definition", async () => {
    const { code, stdout } = await runFake(["metrics", "list"]);
    expect(code).toBe(0);
    const ids = stdout
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(" ")[0]);
    expect(ids).toEqual(builtinDefinitions().map(definitionId));
    expect(stdout).toMatch(/^connected@1 +connected +The client was connected: it kept sending\.$/m);
  });

  test("--json has them whole", async () => {
    const { stdout } = await runFake(["metrics", "list", "--json"]);
    const { schema, metrics } = JSON.parse(stdout);
    expect(schema).toBe("presence-batch/metrics@1");
    expect(metrics.map((metric: { hash: string }) => metric.hash)).toEqual(
      builtinDefinitions().map(({ hash }) => hash),
    );
  });
});

describe("metrics show", () => {
  test.each(builtinDefinitions().map(definitionId))("%s as a file that means the same", async (id) => {
    const { stdout } = await runFake(["metrics", "show", id]);
    writeFileSync(join(folder, "shown.yaml"), stdout);
    const shown = await runFake(["metrics", "show", "shown.yaml"], { io: { cwd: folder } });
    expect(shown).toEqual({ code: 0, stdout, stderr: "" });
  });

  test("an unknown name is a usage error with a suggestion", async () => {
    const { code, stderr } = await runFake(["metrics", "show", "forground"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/unknown metric "forground"\ndid you mean foreground@1\?/);
  });

  test("two at a time are refused", async () => {
    expect(await runFake(["metrics", "show", "active,connected"])).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("metrics check", () => {
  const check = (yaml: string, flags: string[] = [], env = {}) => {
    writeFileSync(join(folder, "watching"), yaml);
    return runFake(["metrics", "check", "watching", ...flags], { io: { cwd: folder, env } });
  };
  const env = { PRESENCE_BATCH_EVENT_TYPES: "ROOM_ENTER,ROOM_LEAVE" };

  test("says what a valid file is", async () => {
    const { code, stdout } = await check(WATCHING, [], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^watching is valid: watching@2, online: watching and foreground, hash [0-9a-f]{64}\n$/);
    const json = await check(WATCHING, ["--json"], env);
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: "presence-batch/metric@1",
      name: "watching",
      states: {
        watching: { on: ["ROOM_ENTER"], off: ["ROOM_LEAVE"] },
        busy: { column: "activity", equals: ["1", "yes"] },
      },
    });
  });

  test("errors name file, line and key, and follow the lake settings", async () => {
    const undeclared = await check(WATCHING);
    expect(undeclared.code).toBe(2);
    expect(undeclared.stderr).toMatch(
      /^error: .*watching:7: states\.watching\.on\[0\]: unknown event type "ROOM_ENTER"/,
    );
    writeFileSync(
      join(folder, "lake.yaml"),
      "lookahead: 60s\nallowedLateness: 60s\neventTypes: [ROOM_ENTER, ROOM_LEAVE]\n",
    );
    const tight = await check(WATCHING, ["--config", "lake.yaml"]);
    expect(tight.code).toBe(2);
    expect(tight.stderr).toMatch("watching:4: gap.max: 90s is more than the lake's lookahead (60s)");
  });
});
