import { describe, expect, test } from "vitest";
import { columnChart } from "../../src/report/column-chart.ts";
import { figure } from "../../src/report/figure.ts";
import { lineChart } from "../../src/report/line-chart.ts";
import { markup } from "../../src/report/markup.ts";
import { page, section, tiles } from "../../src/report/page.ts";
import { table } from "../../src/report/table.ts";

const HOSTILE = `</script><img src=x onerror="alert('1')">&amp;\u0000\u202e\ud800`;

describe("a page", () => {
  const text = page({
    title: HOSTILE,
    subtitle: HOSTILE,
    body: [
      tiles([{ label: HOSTILE, value: HOSTILE, note: HOSTILE }]),
      section(HOSTILE, table(HOSTILE, [{ title: HOSTILE }, { title: "", kind: "bar" }], [[HOSTILE, 0.5]])),
      figure({
        title: HOSTILE,
        note: HOSTILE,
        legend: [HOSTILE],
        draw: (width) =>
          columnChart({ says: HOSTILE, columns: [{ label: HOSTILE, parts: [1] }], formatY: String }, width),
        table: HOSTILE,
      }),
    ],
    footer: HOSTILE,
  });

  test("holds texts of any kind as text", () => {
    expect(text).not.toMatch(/<script|<img|onerror="|&amp;amp;amp/);
    expect(
      text.match(/&lt;img src=x onerror=&quot;alert\(&#39;1&#39;\)&quot;&gt;&amp;amp;\\u0000\\u202e\\ud800/g)?.length,
    ).toBe(18);
  });

  test("fetches nothing and runs nothing", () => {
    expect(text).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
    expect(text.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|<link|<script|@import|url\(/);
  });
});

test("templates escape what they are given, and keep markup as it is", () => {
  expect(markup`<b>${"<"}${[1, "&", markup`<i>${null}</i>`]}</b>`.text).toBe("<b>&lt;1&amp;<i></i></b>");
});

describe("a line chart", () => {
  const chart = {
    says: "users",
    x: [0, 100] as const,
    xTicks: [0, 20, 40, 60, 80, 100].map((at) => ({ at, label: `at ${at} of a hundred` })),
    formatY: (value: number) => String(value),
    series: [
      [
        [0, 1],
        [50, 9],
        [60, null],
        [70, 3],
        [100, 2],
      ] as const,
    ],
  };
  const texts = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map((match) => match[1]);

  test("leaves a gap where nothing is known", () => {
    const curve = /class="curve s1" d="([^"]*)"/.exec(lineChart(chart, 900).text)![1]!;
    expect(curve.match(/M/g)).toHaveLength(2);
    expect(curve).not.toMatch(/NaN/);
  });

  test("names as many ticks as have room", () => {
    expect(texts(lineChart(chart, 900).text)).toEqual([
      "0",
      "2",
      "4",
      "6",
      "8",
      "10",
      ...chart.xTicks.slice(1, -1).map(({ label }) => label),
    ]);
    expect(texts(lineChart(chart, 340).text).filter((text) => text?.startsWith("at"))).toHaveLength(1);
  });

  test("of nothing at all is an empty frame", () => {
    const { text } = lineChart({ ...chart, series: [[]] }, 340);
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });
});

test("columns stack their parts up to the sum", () => {
  const { text } = columnChart({ says: "", columns: [{ label: "a", parts: [30, 70] }], formatY: String }, 900);
  const heights = [...text.matchAll(/class="f\d" [^>]*height="([\d.]+)"/g)].map((match) => Number(match[1]));
  expect(heights[1]! / heights[0]!).toBeCloseTo(7 / 3, 1);
});
