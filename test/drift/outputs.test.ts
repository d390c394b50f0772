/** Markdown, JUnit and HTML of comparisons: whatever an id holds, it stays text; and files are written whole or not at all. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { driftMarkdown } from "../../src/drift/drift-outputs.ts";
import { markdownText } from "../../src/drift/markdown.ts";
import { DEFAULT_THRESHOLDS } from "../../src/drift/thresholds.ts";
import { usageError } from "../../src/errors.ts";
import { LocalStore } from "../../src/storage/local-store.ts";
import { drift } from "../../src/usecases/drift.ts";
import { type DriftPlace, driftPlace, usersOnline } from "./support.ts";

const ODD = '<b>@all</b> | `x` & "y"';

let place: DriftPlace;
beforeAll(async () => {
  place = await driftPlace(usersOnline({ [ODD]: 3600, plain: 3600 }));
});

async function written(text: string, ...more: string[]) {
  const files = ["--junit", "drift.xml", "--markdown", "drift.md", "--html", "drift.html"];
  const ran = await place.drift(place.write("realtime.csv", text), ...files, ...more);
  const read = (name: string) => readFileSync(join(place.folder, name), "utf8");
  return { ...ran, junit: read("drift.xml"), markdown: read("drift.md"), html: read("drift.html") };
}

describe("a comparison that fails", () => {
  test("is written three ways, and ids stay text in each", async () => {
    const { code, junit, markdown, html, stdout } = await written("user_id,online_ms\nplain,3600000\n");
    expect(code).toBe(4);
    expect(stdout).toMatch(ODD);
    expect(junit).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="presence-batch" tests="3" failures="2" errors="0">/,
    );
    expect(junit.match(/<testcase /g)).toHaveLength(3);
    expect(junit).toMatch('<failure message="users whose difference is over, of all: 50% of at most 0.1%"/>');
    expect(markdown).toMatch("### ❌ drift of users on 2024-01-15, connected&#64;1: fail\n");
    expect(markdown).toMatch(
      "| &#60;b&#62;&#64;all&#60;/b&#62; &#124; &#96;x&#96; &#38; &#34;y&#34; | 1:00:00 | – | −1:00:00 | −100% | over |\n",
    );
    expect(html).not.toMatch("<b>@all");
    expect(html).toMatch("&lt;b&gt;@all&lt;/b&gt;");
    expect(html).not.toMatch(/<script|<link|<img|url\(|@import/i);
    expect(html.match(/https?:\/\/[^"' <]+/g)?.filter((url) => url !== "http://www.w3.org/2000/svg") ?? []).toEqual([]);
  });

  test("every row of a Markdown table has as many cells as its header", async () => {
    const { markdown } = await written("user_id,online_ms\nplain,1\n");
    const rows = markdown.split("\n").filter((line) => line.startsWith("|"));
    const cells = rows.map((row) => row.split(" | ").length);
    expect(rows.length).toBeGreaterThan(8);
    for (const [i, row] of rows.entries()) if (/^\| -{3}/.test(row)) expect(cells[i]).toBe(cells[i - 1]);
    expect(new Set(cells)).toEqual(new Set([4, 5, 6]));
  });
});

test("one that passes has no failure; one that is not comparable is an error of the suite", async () => {
  const exact = await written("user_id,online_ms\nplain,3600000\n".concat(`"${ODD.replaceAll('"', '""')}",3600000\n`));
  expect(exact.code).toBe(0);
  expect(exact.junit).toMatch('tests="3" failures="0" errors="0"');
  expect(exact.markdown).toMatch(/^### ✅ /);
  const other = await written("user_id,online_ms\nplain,1\n", "--realtime-tz", "Asia/Tokyo");
  expect(other.code).toBe(3);
  expect(other.junit).toMatch('tests="1" failures="0" errors="1"');
  expect(other.junit).toMatch('<error message="not comparable: the realtime figures are of days of Asia/Tokyo');
  expect(other.markdown).toMatch(/^### ⛔ .*: not comparable$/m);
});

test("Markdown of many rows fits a comment of 65,536 characters", async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => `user-${"x".repeat(80)}-${i},${(i + 1) * 1000}`);
  const { compared, ...rest } = await place.json(
    place.write("many.csv", `user_id,online_ms\n${rows.join("\n")}\n`),
    "--worst",
    "1000",
  );
  expect(compared.worst).toHaveLength(1000);
  const markdown = driftMarkdown({ ...rest, compared });
  expect(markdown.length).toBeLessThan(65_536);
  expect(markdown).toMatch("… and 950 more rows");
});

test("text for Markdown keeps words and hides marks", () => {
  expect(markdownText("a_b *c* #1 [x](y) ~z~ \\ \u0007\n")).toBe(
    "a&#95;b &#42;c&#42; &#35;1 &#91;x&#93;(y) &#126;z&#126; &#92; \\u0007\\u000a",
  );
  expect(markdownText("+1:05:06 (3%), 2026-07-29")).toBe("+1:05:06 (3%), 2026-07-29");
});

test("a file that cannot be written is a mistake (exit 2)", async () => {
  const ran = await place.drift(place.write("realtime.csv", "user_id,online_ms\nplain,1\n"), "--html", "no/where.html");
  expect(ran).toMatchObject({ code: 2, stderr: /^error: --html .*: there is no folder / });
});

test("a mart that may only be read: the comparison is told, and not recorded", async () => {
  class ReadOnly extends LocalStore {
    override async createExclusive(): Promise<boolean> {
      throw usageError("no permission to write the mart", "Run as the user who owns the mart.");
    }
  }
  const file = place.write("realtime.csv", "user_id,online_ms\nplain,3600000\n");
  const { result, recordedAs, warnings } = await drift(
    {
      ...{
        days: { kind: "date", date: "2024-01-15" },
        realtime: join(place.folder, file),
        out: join(place.folder, "mart"),
      },
      ...{ metric: null, lake: null, realtimeZone: null, atMs: null, withinMs: null, thresholds: DEFAULT_THRESHOLDS },
      ...{ worst: 10, record: true, threads: 1, memoryLimitBytes: null, tempDir: null },
    },
    {
      nowMs: Date.UTC(2024, 0, 17),
      signal: new AbortController().signal,
      openStore: (location) => new ReadOnly(location),
    },
  );
  expect(result.verdict).toBe("fail");
  expect(recordedAs).toBeNull();
  expect(warnings).toEqual(["the comparison is not recorded: no permission to write the mart"]);
});
