/** sql/ is one portable subset, and each file says what it is. */
import { describe, expect, test } from "vitest";
import { readsOf } from "../support/sql-header.ts";
import { sourceFiles, sqlSources } from "./sources.ts";

const FILES = sqlSources();
const MAX_LINES = 80;

/** What DuckDB and Spark do not both read in the same way. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/::/, "write cast(x as type)"],
  [/"/, "name things so that they need no quotes"],
  [/[[\]{}]|\blist\b|\barray\b|\bunnest\b|\bstruct\b/, "no lists or structs: a row for each value"],
  [/\//, "division differs: DuckDB's / is floating; compare products, or let the engine's own code divide"],
  [/\bqualify\b/, "number the rows in a CTE and filter in the next"],
  [/\bgroup by all\b|\border by all\b/, "name the columns"],
  [/\b(asof|positional|lateral)\b|\bnot exists\b/, "write semi join … on, anti join … on, or left join … on"],
  [/\b(full|right|natural)\s+(outer\s+)?join\b|\busing\s*\(/, "write join … on, or left join … on"],
  [/\bfilter\s*\(/, "write count(case when … end)"],
  [/\b(exclude|replace)\s*\(|\bcolumns\s*\(/, "list the columns"],
  [/\btry_cast\b|\bilike\b|\bregexp\w*|\bsimilar to\b/, "only what both engines have"],
  [
    /\blimit\b|\boffset\s+\d|\bsample\b|\brandom\b|\bany_value\b|\bfirst\s*\(|\blast\s*\(/,
    "every row must be determined",
  ],
  [
    /\b(now|today|epoch\w*|make_\w+|date\w*|to_timestamp|strftime|strptime|extract|year|month|day|hour|minute)\s*\(|\bcurrent_(date|time)|\binterval\b|\btimestamp/,
    "times are integer ms; days come as day_windows",
  ],
  [
    /\b(create|insert|update|delete|drop|alter|copy|pragma|set|attach|install|load)\b/,
    "a file is a SELECT; engines wrap it",
  ],
  [
    /\bvarchar\b(?!\s*\()|\btext\b|\bstring\b|\bhugeint\b|\bdouble\b|\bfloat\b|\bdecimal\b|\breal\b/,
    "types are bigint, integer, boolean and varchar(n)",
  ],
  [/\/\*|\/\*\+|;/, "one statement, comments after --"],
];

/** Columns of events and sessions that may be null: their place in an order must be said. */
const NULLABLE =
  "device_id|client_type|channel|app_version|region|client_ms|last_active_ms|foreground|active|event_id|value";

const code = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.startsWith("--"))
    .join("\n");
const headerOf = (text: string): string => text.slice(0, text.indexOf(code(text).trimStart().slice(0, 20)));
const withoutTexts = (sql: string): string => sql.replaceAll(/'[^']*'/g, "''");

describe.each(FILES)("$path", ({ path, text }) => {
  const sql = withoutTexts(code(text)).trim();
  const header = headerOf(text);

  test("has a header that says what it is", () => {
    const name = path.replace(/^.*\/|\.sql$/g, "");
    const relation = /^-- (\w+)( \([^)]*\))?: \S/.exec(text)?.[1];
    const known = [name, name.split("_")[0]!.toUpperCase(), "sequenced_events", "tied_events", "timed_events"];
    expect(known, "first line: relation: what it answers").toContain(relation);
    expect(header).toMatch(/^-- Grain: (one|no) row/m);
    expect(header).toMatch(/^-- Reads: \w/m);
    expect(header).toMatch(/^-- Rules: \S/m);
    expect(header.split("\n").filter((line) => line !== "" && !line.startsWith("-- "))).toEqual([]);
    expect(text.slice(header.length), "no comments after the header").not.toMatch(/--/);
  });

  test("reads exactly the relations that its header names", () => {
    const ctes = [...sql.matchAll(/(?:^with|,)\s+(\w+) as \(/g)].map((match) => match[1]!);
    const sources = [...sql.matchAll(/\b(?<!distinct )(?:from|join)\s+(\w+)/g)].map((match) => match[1]!);
    const relations = new Set(sources.filter((name) => !ctes.includes(name)));
    expect([...relations].sort()).toEqual(readsOf(text).sort());
  });

  test("keeps to the portable subset", () => {
    const found = FORBIDDEN.flatMap(([pattern, instead]) => {
      const match = pattern.exec(sql);
      return match ? [`${match[0].trim()}: ${instead}`] : [];
    });
    expect(found).toEqual([]);
  });

  test("says where nulls come in an order, and orders every window", () => {
    const orders = [...sql.matchAll(/\border by\b([^()]*(?:\([^()]*\)[^()]*)*)/g)].map((match) => match[1]!);
    const silent = orders
      .flatMap((order) => order.split(/\brows between\b/)[0]!.split(","))
      .filter((part) => new RegExp(`^\\s*\\w+\\.(${NULLABLE})\\s*(desc)?\\s*$`).test(part));
    expect(silent, "write nulls first or nulls last").toEqual([]);
    const windows = [
      ...sql.matchAll(
        /\b(row_number|rank|dense_rank|lag|lead|first_value|last_value)\s*\([^()]*\)\s+over\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g,
      ),
    ];
    expect(windows.filter((match) => !/\border by\b/.test(match[2]!)).map((match) => match[0])).toEqual([]);
  });

  test("has no window that one task would have to go through, or anew for each row", () => {
    // Spark puts all rows of a window without partition by into one task; these are as few as the values of dimensions, or no stage's.
    const few = /^(80_day\/summary_groups|9[4-9]_\w+\/\w+)\.sql$/;
    const windows = [...sql.matchAll(/\bover\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g)].map((match) => match[1]!.trim());
    const wide = few.test(path) ? [] : windows.filter((w) => !/\bpartition by\b/.test(w));
    expect(wide).toEqual([]);
    const ahead = windows.filter((window) => /\band unbounded following\b/.test(window));
    expect(ahead, "Spark adds a frame up to the end anew for each row: turn the order round").toEqual([]);
  });

  test(`is one SELECT of at most ${MAX_LINES} lines that lists its columns`, () => {
    expect(sql).toMatch(/^(with|select)\b/);
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_LINES);
    const last = sql.slice(`\n${sql}`.lastIndexOf("\nselect"));
    const list = /^select\s+([\s\S]*?)\bfrom\b/.exec(last)?.[1]?.trim() ?? "";
    // Passing on the rows of one relation as they are is all that a star may do.
    const joins = /(?<!\b(?:semi|anti) )\bjoin\b/.test(sql);
    if (/(^|,\s*)(\w+\.)?\*/.test(list)) expect(joins ? `${list} of a join` : list).toMatch(/^\w+\.\*$/);
  });
});

test("every file is run by a stage, a check or a use of its own", () => {
  const sources = sourceFiles().map(({ text }) => text);
  const unused = FILES.map(({ path }) => path.slice(0, -".sql".length)).filter(
    (file) => !sources.some((text) => text.includes(`"${file}"`)),
  );
  expect(unused, "name it in src/pipeline/stages.ts or checks.ts, or remove it").toEqual([]);
});
