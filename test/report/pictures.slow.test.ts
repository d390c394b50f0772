/** Pages of reports and explanations in a real browser: nothing on anything else, nothing cut off, nothing fetched. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandIn, type Workplace, workplace } from "../explain/workplace.ts";
import { lookAt, openChromium, PAGE_WIDTHS, type PageLook } from "../support/chromium.ts";

const ZONE = "Asia/Shanghai";
const folder = mkdtempSync(join(tmpdir(), "pictures-"));
let browser: Browser;
let verdicts: Workplace;

const run = async (line: string): Promise<string> => {
  const { code, stdout, stderr } = await commandIn(folder, line.split(" "));
  expect(code, stderr).toBe(0);
  return stdout;
};

beforeAll(async () => {
  [browser, verdicts] = await Promise.all([openChromium(), workplace()]);
  await run(`sample --out lake --users 300 --days 3 --from 2026-07-27 --tz ${ZONE}`);
  await run(`rebuild --from 2026-07-27 --to 2026-07-29 --lake lake --out mart --tz ${ZONE}`);
  await run("report --date 2026-07-29 --out mart --html day.html");
  await run("report --from 2026-07-27 --to 2026-07-29 --out mart --metric active,connected --html range.html");
  const csv = await run("export --table user_daily --date 2026-07-29 --metric connected --out mart --format csv");
  const users = csv
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.split(","));
  const longest = users.reduce((a, b) => (Number(b[4]) > Number(a[4]) ? b : a))[3];
  await run(
    `explain --date 2026-07-29 --user ${longest} --metric active,last-seen-60s --lake lake --out mart --html long.html --svg long.svg`,
  );
  const asked = [
    "explain",
    "--date",
    "2024-01-15",
    "--user",
    "u1",
    "--metric",
    "connected",
    "--lake",
    "lake",
    "--html",
    join(folder, "verdicts.html"),
    "--tz",
    "UTC",
  ];
  expect((await verdicts.command(...asked)).code).toBe(0);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  verdicts?.remove();
  rmSync(folder, { recursive: true });
});

const LOOKS: PageLook[] = PAGE_WIDTHS.flatMap((width) =>
  (["light", "dark"] as const).map((colours) => ({ width, colours })),
);

describe.each(["day.html", "range.html", "long.html", "verdicts.html"])("%s", (name) => {
  test.each(LOOKS)("$width px, $colours", async (look) => {
    const { background, ...sight } = await lookAt(browser, join(folder, name), look);
    expect(sight).toEqual({ complaints: [], requests: [], overflowing: [] });
    expect(background).toBe(look.colours === "light" ? "rgb(255, 255, 255)" : "rgb(17, 22, 28)");
  });

  test.each(PAGE_WIDTHS)("at %i px no word lies on another, and none is cut off", async (width) => {
    expect(await clashes(pathToFileURL(join(folder, name)).href, width)).toEqual([]);
  });
});

/** A4 within margins of 12 mm. */
const PAPER_PX = 703;

test.each(["day.html", "range.html", "long.html", "verdicts.html"])(
  "%s on paper is dark on white, with its tables open, and no wider",
  async (name) => {
    const context = await browser.newContext({ viewport: { width: PAPER_PX, height: 1_000 }, colorScheme: "dark" });
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(folder, name)).href);
    const hidden = `[...document.querySelectorAll("details tr")].filter((row) => !row.checkVisibility()).length`;
    expect(await page.evaluate(hidden)).toBeGreaterThan(0);
    await page.emulateMedia({ media: "print" });
    const sight = await page.evaluate(`({
    wide: document.documentElement.scrollWidth - innerWidth,
    background: getComputedStyle(document.body).backgroundColor,
    hidden: ${hidden},
  })`);
    expect(sight).toEqual({ wide: 0, background: "rgb(255, 255, 255)", hidden: 0 });
    await context.close();
  },
);

test("the picture alone is XML, and has no word on another", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(folder, "long.svg")).href);
  expect(
    await page.evaluate("document.documentElement.tagName + document.querySelectorAll('parsererror').length"),
  ).toBe("svg0");
  expect(await page.evaluate(CLASHES)).toEqual([]);
  await context.close();
});

test("what looks for clashes finds them", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.setContent(
    `<svg width="200" height="50"><text x="10" y="20">one</text><text x="12" y="22">two</text><text x="190" y="40">edge</text></svg>`,
  );
  expect(await page.evaluate(CLASHES)).toEqual(["cut off: edge", "one | two"]);
  await context.close();
});

async function clashes(address: string, width: number): Promise<unknown> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  await page.goto(address);
  const found = await page.evaluate(CLASHES);
  await context.close();
  return found;
}

/** Runs in the page: words of a picture that share more than a hair's breadth, or that its edge cuts. */
const CLASHES = `[...document.querySelectorAll("svg")].filter((svg) => svg.getBoundingClientRect().width > 0).flatMap((svg) => {
  const edge = svg.getBoundingClientRect();
  const words = [...svg.querySelectorAll("text")].map((text) => {
    const own = text.cloneNode(true);
    for (const title of own.querySelectorAll("title")) title.remove();
    return { says: own.textContent, box: text.getBoundingClientRect() };
  });
  const cut = words.filter(({ box }) => box.left < edge.left - 1 || box.right > edge.right + 1 || box.top < edge.top - 1 || box.bottom > edge.bottom + 1);
  const pairs = words.flatMap((a, i) => words.slice(i + 1).filter((b) =>
    Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 1
    && Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 3).map((b) => a.says + " | " + b.says));
  return [...cut.map(({ says }) => "cut off: " + says), ...pairs];
})`;
