import { expect, test } from "vitest";
import { pageStyle } from "../../src/report/style.ts";

/** The colours of `:root`, light or dark. */
const themes = [...pageStyle().matchAll(/:root\{([^}]*--page[^}]*)\}/g)].map(
  ([, rules = ""]) =>
    new Map([...rules.matchAll(/--(\w+): (#[0-9a-f]{6})/g)].map(([, name, colour]) => [name!, colour!])),
);

/** Relative luminance, as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test.each(["light", "dark"])("%s: words and drawings stand out from what is behind them", (name) => {
  const theme = themes[name === "light" ? 0 : 1]!;
  const low = (names: string[], behind: string, least: number) =>
    names.filter((each) => contrast(theme.get(each)!, theme.get(behind)!) < least);
  for (const behind of ["page", "soft"])
    expect(low(["ink", "muted", "good", "warn", "bad"], behind, 4.5), behind).toEqual([]);
  expect(low(["s1", "s2", "s3", "s4", "s5", "s6", "s7"], "page", 3)).toEqual([]);
});
