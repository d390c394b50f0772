/** The pages of `drift` and `diff` in a real browser: no complaint, no request, nothing wider than a phone or a screen. */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LakeBuilder } from "../oracle/build.ts";
import { lookAt, openChromium, PAGE_WIDTHS } from "../support/chromium.ts";
import { type DriftPlace, driftPlace } from "./support.ts";

/** Ids that are long, or would be markup, or turn the text around. */
const IDS = [
  "0123456789abcdef".repeat(8),
  '<img src="http://localhost/x" onerror=alert(1)>',
  "\u202eu3",
  "a,b|`c`&amp;",
  "u5",
];

let place: DriftPlace;
let browser: Browser;

beforeAll(async () => {
  browser = await openChromium();
  const lake = new LakeBuilder();
  for (const [i, user_id] of IDS.entries()) {
    const values = {
      user_id,
      session_id: `s${i}`,
      device_id: `d${i}`,
      client_type: `type-of-${user_id}`,
      app_version: "5.0",
    };
    lake.beat("09:00", "17:00", 60_000, { ...values, foreground: i % 2 === 0 });
  }
  place = await driftPlace(lake, { metrics: ["connected", "foreground"] });
}, 240_000);
afterAll(() => browser?.close());

const csv = (rows: readonly (readonly (string | number)[])[]) =>
  `${rows.map((row) => row.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(",")).join("\n")}\n`;

async function pageOf(name: string): Promise<string> {
  const html = `${name}.html`;
  const metric = ["--metric", "connected", "--html", html];
  const files: Readonly<Record<string, () => Promise<{ code: number; stderr: string }>>> = {
    users: () => {
      const rows = IDS.map((id, i) => [id, 28_830_000 + i * 1_000_000_000]);
      return place.drift(
        place.write("users.csv", csv([["user_id", "online_ms"], ...rows])),
        ...metric,
        "--lake",
        "lake",
      );
    },
    minutes: () => {
      const rows = Array.from({ length: 300 }, (_, i) => [Date.UTC(2024, 0, 15, 10) + i * 60_000, i % 9]);
      return place.drift(place.write("minutes.csv", csv([["minute_start", "online_users"], ...rows])), ...metric);
    },
    values: () => {
      const rows = IDS.map((id, i) => [`type-of-${id}`, i * 7_000_000]);
      return place.drift(place.write("values.csv", csv([["client_type", "online_ms"], ...rows])), ...metric);
    },
    members: () => {
      const rows = IDS.slice(1).map((id) => [id, 0]);
      const file = place.write("members.csv", csv([["user_id", "score"], ...rows]));
      return place.drift(file, ...metric, "--at", "2024-01-15T12:00:00Z");
    },
    "not comparable": () =>
      place.drift(place.write("users.csv", csv([["user_id", "online_ms"]])), ...metric, "--realtime-tz", "Asia/Tokyo"),
    diff: () =>
      place.command(
        "diff",
        "--base",
        "connected",
        "--head",
        "foreground",
        "--date",
        "2024-01-15",
        "--out",
        "mart",
        "--html",
        html,
      ),
  };
  const { code, stderr } = await files[name]!();
  expect([0, 3, 4], stderr).toContain(code);
  return join(place.folder, html);
}

test.each(["users", "minutes", "values", "members", "not comparable", "diff"])("the page of %s", async (name) => {
  const file = await pageOf(name);
  const backgrounds = new Set<string>();
  for (const width of PAGE_WIDTHS) {
    for (const colours of ["light", "dark"] as const) {
      const { background, ...sight } = await lookAt(browser, file, { width, colours });
      expect(sight, `${width} px, ${colours}`).toEqual({ complaints: [], requests: [], overflowing: [] });
      backgrounds.add(`${colours} ${background}`);
    }
  }
  expect(backgrounds.size).toBe(2);
});
