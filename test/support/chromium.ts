import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";

/** Debian's package `chromium`; other systems say where theirs is. */
const PROGRAM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Widths of a phone and of a screen, in px. */
export const PAGE_WIDTHS = [375, 1_280] as const;

export interface PageLook {
  readonly width: (typeof PAGE_WIDTHS)[number];
  readonly colours: "light" | "dark";
}

/** What a page did while it was looked at. */
export interface PageSight {
  /** Errors and warnings of its console, and exceptions. */
  readonly complaints: readonly string[];
  /** Addresses that it asked for, besides its own. */
  readonly requests: readonly string[];
  /** What is wider than the page, but for parts that scroll, or than its own box: tag, class and text of the elements. */
  readonly overflowing: readonly string[];
  /** Computed, `rgb(…)`. */
  readonly background: string;
}

export function openChromium(): Promise<Browser> {
  if (!existsSync(PROGRAM)) throw new Error(`no Chromium at ${PROGRAM}: apt-get install chromium, or set CHROMIUM`);
  return chromium.launch({ executablePath: PROGRAM, args: ["--no-sandbox"] });
}

/** Opens a local HTML file as a reader would, every detail unfolded, and optionally takes a picture of all of it. */
export async function lookAt(
  browser: Browser,
  file: string,
  { width, colours }: PageLook,
  screenshot?: string,
): Promise<PageSight> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: colours });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  const own = pathToFileURL(file).href;
  page.on("request", (request) => {
    if (request.url() !== own) requests.push(request.url());
  });
  try {
    await page.goto(own, { waitUntil: "load" });
    if (screenshot !== undefined) await page.screenshot({ path: screenshot, fullPage: true });
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    const overflowing = (await page.evaluate(OVERFLOWING)) as string[];
    const background = (await page.evaluate("getComputedStyle(document.body).backgroundColor")) as string;
    return { complaints, requests, overflowing, background };
  } finally {
    await context.close();
  }
}

/** Runs in the page. Something that is hidden has no width. */
const OVERFLOWING = `(() => {
  const scrolls = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (["auto", "scroll", "hidden"].includes(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  const wide = [...document.body.querySelectorAll("*")].filter((element) => {
    const { right, left, width } = element.getBoundingClientRect();
    const beyondPage = width > 0 && (right > innerWidth + 0.5 || left < -0.5) && !scrolls(element);
    const beyondBox = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1
      && getComputedStyle(element).overflowX === "visible" && !element.querySelector(".scroll") && !element.closest("svg");
    return beyondPage || beyondBox;
  });
  const told = wide.map((each) => each.tagName + "." + each.getAttribute("class") + ": " + (each.textContent ?? "").slice(0, 60));
  return document.documentElement.scrollWidth > innerWidth ? ["page: " + document.documentElement.scrollWidth + " px", ...told] : told;
})()`;
