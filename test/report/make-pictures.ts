/** `npm run pictures`: the README's pictures anew, into fixtures/pictures. Needs Chromium. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../cli/fakes.ts";
import { commandIn } from "../explain/workplace.ts";
import { openChromium } from "../support/chromium.ts";

const PICTURES = join(ROOT, "fixtures/pictures");
const ARGUMENT = "explain --date 2026-07-29 --user 42 --lake fixtures/argument/lake --tz Asia/Shanghai";

async function command(folder: string, line: string): Promise<void> {
  const { code, stderr } = await commandIn(folder, line.split(" "));
  if (code !== 0) throw new Error(`${line}\n${stderr}`);
}

const folder = mkdtempSync(join(tmpdir(), "pictures-"));
try {
  await command(ROOT, `${ARGUMENT} --svg ${join(PICTURES, "explain.svg")}`);
  await command(folder, "sample --out lake --users 1000 --days 3 --from 2026-07-28 --tz Asia/Shanghai");
  await command(folder, "rebuild --from 2026-07-28 --to 2026-07-29 --lake lake --out presence --tz Asia/Shanghai");
  await command(folder, "report --date 2026-07-29 --out presence --html report.html");
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: { width: 1_040, height: 745 }, colorScheme: "light" });
  await page.goto(pathToFileURL(join(folder, "report.html")).href);
  await page.screenshot({ path: join(PICTURES, "report.png"), clip: { x: 0, y: 0, width: 1_040, height: 745 } });
  await browser.close();
} finally {
  rmSync(folder, { recursive: true });
}
