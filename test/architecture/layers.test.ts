/** Imports go one way, and what touches the outside world lives in one place each. */
import { describe, expect, test } from "vitest";
import { importsOf, type Source, sourceFiles } from "./sources.ts";

const SOURCES = sourceFiles();
const MAX_LINES = 220;
/** Files that were longer when the limit came: they may shrink, and leave this list. */
const LONGER: Readonly<Record<string, number>> = { "pipeline/inputs.ts": 241 };

/** What each folder of src/ is for, and what it may import besides its own files, errors.ts and versions.ts. */
const LAYERS: Readonly<Record<string, { readonly is: string; readonly may: readonly string[] }>> = {
  plan: { is: "pure: days, settings, options; what a run is to do", may: [] },
  definitions: { is: "what counts as online: files, expressions, built-in ones", may: ["plan"] },
  storage: { is: "the object store, local or S3", may: ["plan"] },
  engine: { is: "running SQL: sessions, reading files, keys, writing Parquet", may: ["plan"] },
  lake: { is: "partitions, listing and probing of input files", may: ["plan", "engine", "storage"] },
  pipeline: { is: "the stages and checks of sql/, and what they read", may: ["plan", "definitions", "engine"] },
  publish: { is: "runs, commits and published files", may: ["plan", "storage"] },
  usecases: {
    is: "one function a command, (options, effects) to result; joins the layers, prints nothing",
    may: ["*"],
  },
  cli: { is: "words, colours and exit codes; calls use cases", may: ["all but engine, storage, lake and publish"] },
};
/** Any other folder is a feature beside lake, pipeline and publish (drift, report, …) that use cases call. */
const mayFeatureImport = (folder: string): boolean => !["usecases", "cli"].includes(folder);

const WHERE = Object.entries(LAYERS).map(
  ([name, { is, may }]) => `  src/${name}: ${is} (imports ${may.join(", ") || "none"})`,
);
const folderOf = (path: string): string => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "");

test("imports go one way: cli, usecases, features, engine and storage, errors", () => {
  const wrong = SOURCES.flatMap((source) => {
    const from = folderOf(source.path);
    return importsOf(source)
      .files.filter((file) => !mayImport(from, folderOf(file)))
      .map((file) => `src/${source.path} imports src/${file}`);
  });
  expect(wrong, ["Move the code to where it belongs, or hand it in as an argument:", ...WHERE].join("\n")).toEqual([]);
});

function mayImport(from: string, to: string): boolean {
  if (to === from || to === "") return true;
  if (from === "") return false;
  if (from === "usecases") return to !== "cli";
  // The command line shows results of any feature, but does no work of its own.
  if (from === "cli") return !["engine", "storage", "lake", "publish"].includes(to);
  return LAYERS[from]?.may.includes(to) ?? mayFeatureImport(to);
}

test("no file imports itself, by whatever way", () => {
  const imports = new Map(SOURCES.map((source) => [source.path, importsOf(source).files]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (path: string, way: readonly string[]) => {
    if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(" -> "));
    if (done.has(path) || way.includes(path)) return;
    for (const next of imports.get(path) ?? []) walk(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) walk(path, []);
  expect(cycles, "Move what both need into a file of its own").toEqual([]);
});

test("every import names a file that is there", () => {
  const there = new Set(SOURCES.map(({ path }) => path));
  const broken = SOURCES.flatMap((source) => importsOf(source).files.filter((file) => !there.has(file)));
  expect(broken).toEqual([]);
});

test("--help loads no library but commander: the others come with the command that is run", () => {
  const byPath = new Map(SOURCES.map((source) => [source.path, source]));
  const seen = new Set<string>();
  const packages = new Set<string>();
  const walk = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const { text } = byPath.get(path)!;
    const loaded = [...text.matchAll(/^import (?!type )[^;]*?from "([^"]+)"/gm)].map((match) => match[0]);
    const { files, packages: own } = importsOf({ path, text: loaded.join("\n") });
    for (const name of own) packages.add(name);
    for (const file of files) walk(file);
  };
  walk("cli/main.ts");
  expect([...packages], `of ${[...seen].join(", ")}`).toEqual(["commander"]);
});

describe("one place each", () => {
  test.each([
    ["@duckdb/node-api", /^engine\/duckdb\//, "Go through DuckDbSession"],
    ["luxon", /^plan\/(days|periods|zone)\.ts$/, "Day windows are ms; ask plan/days.ts for them"],
    ["commander", /^cli\//, "Options reach use cases as RebuildOptions and the like"],
    ["@aws-sdk/client-s3", /^storage\//, "Go through the object store's interface"],
    ["apache-arrow", /^export\//, "Rows leave by src/export"],
    ["pg", /^export\//, "Rows leave by src/export"],
    ["pg-copy-streams", /^export\//, "Rows leave by src/export"],
    ["d3-scale", /^report\//, "Pictures are drawn in src/report"],
    ["d3-shape", /^report\//, "Pictures are drawn in src/report"],
  ])("%s", (name, allowed, instead) => {
    const users = SOURCES.filter((source) => importsOf(source).packages.includes(name)).map(({ path }) => path);
    expect(
      users.filter((path) => !allowed.test(path)),
      instead,
    ).toEqual([]);
  });

  test("only src/cli prints or exits", () => {
    const outside = SOURCES.filter(({ path }) => !path.startsWith("cli/"));
    const printing = /\bconsole\s*\.|\bprocess\s*\.\s*(exit|exitCode|stdout|stderr|stdin)\b/;
    expect(
      matching(outside, printing),
      "Give the text to effects.warn or effects.progress, put it into the result, or throw a PresenceError",
    ).toEqual([]);
  });

  test("the environment and the clock come in from outside", () => {
    const pure = SOURCES.filter(({ path }) => !path.startsWith("cli/"));
    expect(matching(pure, /\bprocess\.env\b/), "Options come from plan/config.ts, given the environment").toEqual([]);
    expect(matching(pure, /\bDate\.now\(|\bnew Date\(\)/), "A run has one clock reading: effects.nowMs").toEqual([]);
  });
});

describe("files", () => {
  test("are not barrels or drawers for odds and ends", () => {
    const names = SOURCES.map(({ path }) => path).filter((path) =>
      /(^|\/)(index|utils?|helpers?|common|misc)(\.ts$|\/)/.test(path),
    );
    expect(names, "Name a file by what it holds, and import from where that is").toEqual([]);
    expect(matching(SOURCES, /^export \*|^export (type )?\{[^}]*\} from/m), "Import from where it is defined").toEqual(
      [],
    );
  });

  test(`have at most ${MAX_LINES} lines`, () => {
    const long = SOURCES.map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }));
    expect(
      long.filter(({ path, lines }) => lines > (LONGER[path] ?? MAX_LINES)),
      "Split it by what its parts are about",
    ).toEqual([]);
  });
});

function matching(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) => {
    const found = pattern.exec(text);
    return found ? [`src/${path}: ${found[0].trim()}`] : [];
  });
}
