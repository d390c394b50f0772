import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_S3 } from "../../src/plan/s3-options.ts";
import { doctor } from "../../src/usecases/doctor.ts";
import { tempFolder } from "../publish/small-lake.ts";
import { fakeS3, isData, optionsOf, s3Effects } from "./s3-tools.ts";

const server = fakeS3();
const temp = tempFolder();

async function look(lake: string | null, out: string | null, changes = {}) {
  const asked = { lake, out, zone: "UTC", tempDir: temp, memoryLimitBytes: 400_000_000, ...changes };
  const { checks, failed } = await doctor(asked, { ...s3Effects(server.endpoint), s3: optionsOf(server.endpoint) });
  expect(readdirSync(temp)).toEqual([]);
  expect(failed).toBe(checks.filter(({ state }) => state === "failed").length);
  return Object.fromEntries(checks.map(({ check, state, says, mend }) => [check, `${state}: ${says} | ${mend}`]));
}

test("finds everything in order, and reads and leaves nothing", async () => {
  server.set("lake/events/event_date=2024-01-15/event_hour=10/a.parquet", "");
  const found = await look("s3://lake/events", "s3://mart/m");
  expect(Object.values(found).every((text) => text.startsWith("ok: "))).toBe(true);
  expect(found.mart).toContain("has no mart yet");
  expect([...server.objects.keys()].filter((path) => path.startsWith("mart/"))).toEqual([]);
  expect(server.seen.some(isData)).toBe(false);
});

test("goes on where something is wrong, and says how to mend it", async () => {
  server.fault = ({ bucket, headers }) => {
    if (bucket === "lake") return { status: 403, code: "AccessDenied" };
    return headers["if-none-match"] ? "unconditional" : null;
  };
  const found = await look("s3://lake/events", "s3://mart/m", { memoryLimitBytes: 100_000_000 });
  expect(found.lake).toMatch(/^failed: no permission for the lake s3:\/\/lake\/events .* \| The README's policies/);
  expect(found["conditional writes"]).toMatch(/^failed: the store of s3:\/\/mart\/m ignores conditional writes/);
  expect(found.memory).toMatch(/^warning: /);
});

test("says that no credentials are found", async () => {
  const { AWS_ACCESS_KEY_ID: key, HOME: home, ...others } = process.env;
  process.env = { ...others, HOME: temp };
  try {
    const { checks } = await doctor(
      { lake: null, out: "s3://mart/m", zone: null, tempDir: temp, memoryLimitBytes: null },
      { ...s3Effects(server.endpoint), s3: { ...DEFAULT_S3, endpoint: server.endpoint } },
    );
    expect(checks.find(({ check }) => check === "credentials")).toMatchObject({
      state: "failed",
      mend: expect.stringContaining("AWS_PROFILE"),
    });
  } finally {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: key, HOME: home });
  }
});

test("works for folders, too", async () => {
  const lake = join(tempFolder(), "lake");
  expect((await look(lake, null)).lake).toMatch(/^failed: Lake not found/);
  mkdirSync(join(lake, "event_date=2024-01-15/event_hour=10"), { recursive: true });
  const found = await look(lake, join(lake, "../mart"));
  expect(Object.values(found).filter((text) => !text.startsWith("ok: "))).toEqual([]);
  expect(found.credentials).toBeUndefined();
});
