import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays } from "../../src/plan/days.ts";
import type { Report } from "../../src/report/report-data.ts";
import { reportPage } from "../../src/report/report-page.ts";
import { change, hours, percent, span } from "../../src/report/words.ts";
import { type Workplace, workplace } from "../explain/workplace.ts";
import { readPublished } from "../support/read-mart.ts";

let place: Workplace;
beforeAll(async () => {
  place = await workplace();
}, 120_000);
afterAll(() => place.remove());

const DAY = ["--date", "2024-01-15", "--out", "mart"];

describe("report", () => {
  test("has the mart's figures", async () => {
    const { code, stdout, stderr } = await place.command("report", ...DAY, "--json");
    expect(code, stderr).toBe(0);
    const report: Report = JSON.parse(stdout);
    expect(report.definitions.map(({ metric }) => metric)).toEqual(["foreground", "connected"]);
    const read = async (table: string) =>
      (await readPublished(
        join(place.folder, "mart"),
        `${table}/metric=foreground/version=1/date=2024-01-15`,
      )) as Record<string, unknown>[];
    const users = await read("user_daily");
    const [detail] = report.definitions;
    expect(detail!.total).toMatchObject({
      users: users.length,
      onlineMs: users.reduce((sum, user) => sum + Number(user.online_ms), 0),
    });
    const [total] = (await read("daily_summary")).filter(({ dimension }) => dimension === "total");
    expect(detail!.days[0]).toMatchObject({
      peakUsers: total!.peak_users,
      peakAtMs: total!.peak_at,
      p50Ms: total!.p50_ms,
    });
    const minutes = await read("minute_online");
    expect(detail!.curve).toEqual(
      minutes.map(({ minute_start, online_users }) => ({ atMs: minute_start, users: online_users })),
    );
    expect(report.distribution.reduce((sum, step) => sum + step.users, 0)).toBe(users.length);
    const rejected = (await readPublished(join(place.folder, "mart"), "quarantined_events/date=2024-01-15")) as Record<
      string,
      unknown
    >[];
    const { quarantine } = report;
    expect(quarantine.quarantined).toBe(rejected.length);
    for (const [i, { reason, events }] of quarantine.reasons.entries()) {
      expect(events).toBe(rejected.filter((row) => row.reason === reason).length);
      expect(quarantine.steps.reduce((sum, step) => sum + step.events[i]!, quarantine.unplaced[i]!)).toBe(events);
    }
  });

  test("writes a page that fetches nothing, with every figure behind a picture as text", async () => {
    const { stdout } = await place.command("report", ...DAY, "--html", "page.html");
    expect(stdout).toMatch(/page written to page\.html\n$/);
    const text = readFileSync(join(place.folder, "page.html"), "utf8");
    expect(text.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|<script|<link|url\(|NaN|undefined/);
    expect(text.match(/<figure>/g)!.length).toBe(
      text.match(/<summary>The numbers<\/summary><p|<summary>The numbers<\/summary><div/g)!.length,
    );
    expect(text).toMatch(
      /role="img" aria-label="Users online over time; foreground@1 has its peak of \d+ at \d\d:\d\d"/,
    );
  });

  test.each([
    [["--out", "mart"], /--date is missing: which days\?/, 2],
    [
      ["--date", "2024-01-20", "--out", "mart"],
      /has no day 2024-01-20\nBuild it first: presence-batch rebuild --date 2024-01-20\n/,
      3,
    ],
    [[...DAY, "--metric", "capped"], /has no capped of these days, but connected@1, foreground@1\nBuild it first: /, 3],
    [[...DAY, "--metric", "connected,capped"], /has no capped of these days, but /, 3],
    [[...DAY, "--html", "no/page.html"], /--html \S+\/no\/page\.html: there is no folder /, 2],
  ])("refuses %j", async (args, message, wanted) => {
    const { code, stderr } = await place.command("report", ...(args as string[]));
    expect(stderr).toMatch(message as RegExp);
    expect(code).toBe(wanted);
  });
});

/** More of everything than a mart is likely to have. */
function hugeReport(): Report {
  const days = Array.from({ length: 92 }, (_, i) => addDays("2026-05-01", i));
  const startMs = Date.parse("2026-05-01T00:00:00Z");
  const figures = { users: 100_000, sessions: 900_000, onlineMs: 9e11, peakUsers: 31_234, peakAtMs: startMs };
  const dayOf = (day: string) => ({ day, ...figures, devices: 1, p50Ms: 1, p90Ms: 2, p99Ms: 3, complete: false });
  const reasons = Array.from({ length: 13 }, () => ({ reason: "DUPLICATE_EVENT", events: 1_000_000 }));
  return {
    out: "/mart",
    zone: "UTC",
    days,
    missingDays: days.slice(0, 40),
    spanMs: { startMs, endMs: startMs + 92 * 86_400_000 },
    definitions: Array.from({ length: 8 }, (_, i) => ({
      metric: `definition-${i}`,
      version: 1,
      total: { ...figures, days: 92 },
      days: days.map(dayOf),
      before: [{ name: "the 92 days before", from: "", to: "", figures: { ...figures, days: 92 } }],
      curve: Array.from({ length: 1_440 }, (_, at) => ({
        atMs: startMs + at * 92 * 60_000,
        users: at % 7 === 0 ? null : (at * 7919) % 31_234,
      })),
    })),
    values: ["client_type", "channel", "app_version", "region"].flatMap((dimension) =>
      Array.from({ length: 50_000 }, (_, i) => ({
        dimension,
        value: `${dimension} ${i} ${"x".repeat(100)}`,
        users: 1,
        onlineMs: i,
      })),
    ),
    distribution: [{ fromMs: 0, toMs: null, users: 100_000 }],
    quarantine: {
      owned: 1e9,
      quarantined: 13_000_000,
      reasons,
      steps: days.map((_, i) => ({ atMs: startMs + i * 86_400_000, events: reasons.map(() => i) })),
      unplaced: reasons.map(() => 1),
    },
    quality: days.map((day) => ({
      ...dayOf(day),
      runId: "r",
      createdAt: "2026-08-01T00:00:00.000Z",
      incompleteBecause: ["x".repeat(200)],
      files: 9,
      badFiles: 9,
      owned: 9,
      accepted: 9,
      reordered: 9,
      brokenChecks: 0,
      warnings: Array(40).fill("y".repeat(200)),
    })),
    drift: days.slice(-31).map((day) => ({ day, metric: "definition-0", version: 1, verdict: "pass", share: 0.001 })),
  };
}

test("a page stays below 2 MB, however much there is", () => {
  const text = reportPage(hugeReport(), "presence-batch");
  expect(text).not.toMatch(/NaN|undefined|Infinity/);
  expect(Buffer.byteLength(text)).toBeLessThan(2_000_000);
});

test("numbers are short, and say nothing false", () => {
  expect([0, 59_000, 60_000, 61_400, 3_599_000, 3_600_000, 7_260_000].map(span)).toEqual([
    "0 s",
    "59 s",
    "1 min",
    "1 min 1 s",
    "59 min 59 s",
    "1 h",
    "2 h 1 min",
  ]);
  expect([0, 1_512_000, 44_280_000, 4_444_000_000].map(hours)).toEqual(["0", "0.42", "12.3", "1,234"]);
  expect([0, 0.00001, 0.0123, 0.5, 0.99999, 1].map(percent)).toEqual([
    "0 %",
    "<0.01 %",
    "1.23 %",
    "50.0 %",
    ">99.99 %",
    "100.0 %",
  ]);
  expect([change(1, 1), change(3, 0), change(101, 100), change(50, 100)]).toEqual([
    "same",
    "new",
    "+1.00 %",
    "−50.0 %",
  ]);
});
