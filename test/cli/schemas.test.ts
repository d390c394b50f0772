/** Every --json document is what its JSON Schema below src/cli/schemas says, and each schema says all of it. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtinDefinitions } from "../../src/definitions/builtin.ts";
import { definitionId } from "../../src/definitions/resolve.ts";
import { sourceFiles } from "../architecture/sources.ts";
import { commandIn, type Workplace, workplace } from "../explain/workplace.ts";
import { SCHEMA_NAMES, type Schema, schemaOf, schemaProblems } from "../support/json-schema.ts";

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const BUSY = `name: busy
version: 1
online: busy and not away
gap: { max: 90s, credit: 30s }
tail: 0
lateUpload: compensate
devices: latest
states:
  away: { on: [APP_BACKGROUND], off: [APP_FOREGROUND] }
  busy: { column: client_type, equals: [web, app] }
`;
/** Every session is too long for it. */
const HASTY = `name: hasty
version: 1
online: active
gap: { max: 90s, credit: 30s }
tail: 30s
idle: 60s
maxSession: 1s
`;

/** Only who is in the background. */
const FEW = `name: few
version: 1
online: not foreground
gap: { max: 90s, credit: 30s }
tail: 0
`;

let place: Workplace;
beforeAll(async () => {
  place = await workplace();
  writeFileSync(join(place.folder, "busy.yaml"), BUSY);
  writeFileSync(join(place.folder, "hasty.yaml"), HASTY);
  writeFileSync(join(place.folder, "few.yaml"), FEW);
}, 120_000);
afterAll(() => place.remove());

const inLake = (...path: string[]) => join(place.folder, "lake", ...path);
const inMart = (...path: string[]) => join(place.folder, "mart", ...path);
const HOUR = "event_date=2024-01-15/event_hour=10";
const breakFile = (): void => {
  writeFileSync(inLake(HOUR, "broken.parquet"), "PAR1 and no more");
  writeFileSync(inLake("notes.txt"), "");
};
const changeLake = (): void => {
  writeFileSync(inLake(HOUR, "broken.parquet"), "PAR1 and yet no more");
  renameSync(inLake("event_date=2024-01-15/event_hour=11"), join(place.folder, "away"));
};
const damage = (): void =>
  rmSync(inMart("user_daily/metric=foreground/version=1/date=2024-01-15/part-00000.parquet"), { force: true });

const DAY = "--date 2024-01-15";
const BUILD = `rebuild ${DAY} --lake lake --out mart --tz UTC`;
const EXPLAIN = `explain ${DAY} --user u1 --lake lake`;

const ONLINE = "online --at 2024-01-15T10:00:45Z --lake lake";
/** Each scope once, each with something on one side only. */
function driftRuns(): Run[] {
  const realtime = (name: string, text: string) => () => writeFileSync(join(place.folder, name), text);
  const drift = (file: string, more: string) => `drift --realtime ${file} --out mart --metric connected ${more}`;
  const hour = "2024-01-15T10:00:00Z";
  return [
    {
      schema: "drift",
      command: drift("users.csv", `${DAY} --lake lake`),
      code: 4,
      before: realtime("users.csv", "user_id,online_ms,date\nu1,90000000,\nnobody,5,\nu2,1,2024-01-14\n"),
    },
    { schema: "drift", command: drift("users.csv", `${DAY} --realtime-tz Asia/Tokyo`), code: 3 },
    {
      schema: "drift",
      command: drift("values.csv", DAY),
      code: 4,
      before: realtime("values.csv", "dimension,value,online_ms\nchannel,nowhere,5\ntotal,,1\n"),
    },
    {
      schema: "drift",
      command: drift("minutes.csv", DAY),
      code: 4,
      before: realtime("minutes.csv", `minute_start,online_users\n${hour},7\n2024-01-16T00:00:00Z,1\n`),
    },
    {
      schema: "drift",
      command: drift("members.csv", `--at ${hour} --within 60s`),
      code: 4,
      before: realtime("members.csv", `user_id,score\nnobody,${Date.parse(hour)}\nu1,5\n`),
    },
    { schema: "drift-history", command: "drift --history --out mart" },
    {
      schema: "diff",
      command: `diff --base connected --head foreground ${DAY} --out mart --max-total-change 100%`,
    },
    { schema: "diff", command: `diff --base connected --head FEW ${DAY} --out mart --lake lake --movers 3` },
    { schema: "diff", command: `diff --base 1 --head 2 --metric connected ${DAY} --out mart` },
  ];
}

interface Run {
  readonly schema: string;
  readonly command: string;
  readonly code?: number;
  readonly before?: () => void;
}

/** In an order in which each finds what it needs, so that documents hold something in every place. */
const RUNS: readonly Run[] = [
  { schema: "metrics", command: "metrics list" },
  ...builtinDefinitions().map((found) => ({ schema: "metric", command: `metrics show ${definitionId(found)}` })),
  { schema: "metric", command: "metrics check busy.yaml" },
  { schema: "sample", command: "sample --out sample --tz UTC --from 2026-07-28 --days 1 --users 2" },
  { schema: "status", command: `status ${DAY} --lake lake --out mart --metric connected,capped` },
  { schema: "explain", command: `${EXPLAIN} --tz UTC` },
  { schema: "explain", command: `${EXPLAIN} --out mart --metric connected,capped` },
  { schema: "explain", command: `${EXPLAIN} --tz UTC --metric active,HASTY --limit 5` },
  { schema: "online", command: `${ONLINE} --tz UTC --metric connected` },
  { schema: "online", command: `${ONLINE} --out mart --metric foreground` },
  { schema: "online", command: `${ONLINE} --out mart --metric capped` },
  { schema: "report", command: `report ${DAY} --out mart` },
  { schema: "rollup", command: "rollup --week 2024-W03 --missing-days 6 --out mart" },
  { schema: "rollup", command: `rollup --from 2024-01-15 --to 2024-01-15 --out mart --metric connected` },
  { schema: "export", command: `export --table user_daily ${DAY} --out mart --format csv --to rows.csv` },
  { schema: "export", command: `export --table quarantined_events ${DAY} --out mart --format ndjson --to rows.ndjson` },
  { schema: "quarantine", command: `quarantine ${DAY} --out mart` },
  { schema: "rollback", command: `rollback ${DAY} --out mart --metric connected --to 1` },
  { schema: "rebuild", command: `${BUILD} --metric connected` },
  { schema: "rebuild-plan", command: `${BUILD} --metric connected --dry-run`, before: breakFile },
  { schema: "online", command: `${ONLINE} --out mart` },
  { schema: "status", command: `status ${DAY} --lake lake --out mart` },
  { schema: "emit", command: `${BUILD} --emit jobs --on-bad-file quarantine` },
  { schema: "rebuild-plan", command: `${BUILD} --dry-run --stale`.replace("--date", "--from 2024-01-13 --to") },
  {
    schema: "rebuild-plan",
    command: `${BUILD} --dry-run --missing-hours 24 --allow-unfinished`.replace("2024-01-15", "2029-12-31"),
  },
  { schema: "rebuild", command: `${BUILD} --metric connected,foreground,HASTY --on-bad-file quarantine` },
  { schema: "quarantine", command: `quarantine ${DAY} --out mart --limit 1` },
  { schema: "quarantine", command: `quarantine ${DAY} --out mart --reason STALE_EPOCH` },
  { schema: "doctor", command: "doctor --out mart --memory-limit 200MB" },
  ...driftRuns(),
  { schema: "gc", command: "gc --out mart --grace 1s --dry-run" },
  { schema: "rollback", command: `rollback ${DAY} --out mart --metric connected --to 1` },
  { schema: "verify", command: "verify --out mart" },
  { schema: "verify", command: "verify --out mart --repair", before: damage },
  { schema: "status", command: `status ${DAY} --lake lake --out mart`, before: changeLake },
  {
    schema: "rebuild",
    command: `${BUILD} --metric foreground --on-bad-file quarantine --missing-hours 24`.replace("-15", "-16"),
  },
  { schema: "status", command: `status ${DAY} --lake lake --out mart` },
  { schema: "report", command: "report --date 2024-01-16 --out mart" },
  { schema: "report", command: "report --from 2024-01-15 --to 2024-01-17 --out mart --metric connected" },
  { schema: "rollup", command: "rollup --week 2024-W03 --missing-days 6 --out mart --metric connected,foreground" },
];

/** What none of these brings about: it takes a crash, a built-in definition that there is not, or another lake. */
const NOT_HERE = [
  ...["gc leftovers", "gc repaired", "gc tempFolders", "metrics column", "metrics equals"],
  ...["quarantine appVersion", "quarantine clientType"],
];

const documents: { readonly name: string; readonly document: Json }[] = [];

describe("what the commands print", () => {
  // Days later: what was replaced has no grace any more.
  const later = { now: () => Date.UTC(2030, 0, 9) };

  test.each(RUNS)("$schema: $command", async ({ schema, command, code: wanted = 0, before }) => {
    before?.();
    const args = [
      ...command.replace("HASTY", join(place.folder, "hasty.yaml")).replace("FEW", "./few.yaml").split(" "),
      "--json",
    ];
    const io = schema === "gc" ? later : {};
    const { code, stdout, stderr } = await commandIn(place.folder, args, io);
    expect(code, stderr).toBe(wanted);
    const document = JSON.parse(stdout);
    expect(document.schema).toBe(`presence-batch/${schema}@1`);
    expect(schemaProblems(schema, document)).toBe("");
    documents.push({ name: schema, document });
  });

  test("every document has a schema, and every schema a document", () => {
    expect(new Set(documents.map(({ name }) => name))).toEqual(new Set(SCHEMA_NAMES));
    const printed = sourceFiles().flatMap(({ text }) => [...text.matchAll(/printJson\(io, "([^"]+)"/g)]);
    expect(new Set(printed.map((match) => match[1]))).toEqual(new Set(SCHEMA_NAMES));
  });

  // Of explain, the golden texts have every kind of document.
  test("every property has held something", () => {
    const held = new Set(documents.flatMap(({ name, document }) => filled(document).map((each) => `${name} ${each}`)));
    const hollow = SCHEMA_NAMES.filter((name) => name !== "explain").flatMap((name) =>
      propertiesOf(schemaOf(name))
        .filter((property) => !held.has(`${name} ${property}`))
        .map((each) => `${name} ${each}`),
    );
    expect(hollow.sort()).toEqual(NOT_HERE);
  });
});

/** Names of properties with a value that is neither null nor an empty list. */
function filled(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(filled);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([property, inner]) => {
    const isEmpty = inner === null || (Array.isArray(inner) && inner.length === 0);
    return isEmpty ? [] : [property, ...filled(inner)];
  });
}

function propertiesOf(root: Schema): string[] {
  const names: string[] = [];
  walk(root, (schema) => names.push(...Object.keys(schema.properties ?? {})));
  return [...new Set(names)];
}

function walk(schema: unknown, visit: (schema: Schema) => void): void {
  if (typeof schema !== "object" || schema === null) return;
  if (!Array.isArray(schema)) visit(schema as Schema);
  for (const inner of Object.values(schema)) walk(inner, visit);
}

describe("the schemas are strict:", () => {
  const OPTIONAL = ["idle", "states"];

  test.each(SCHEMA_NAMES)("%s refuses what lacks a property, has one more, or another type", (name) => {
    for (const { document } of documents.filter((one) => one.name === name)) {
      const accepted = variants(trimmed(document), name.startsWith("metric") ? OPTIONAL : [])
        .filter(({ changed }) => schemaProblems(name, changed) === "")
        .map(({ what }) => what);
      expect([...new Set(accepted)]).toEqual([]);
    }
  });

  test.each(SCHEMA_NAMES)("%s describes every property, with its unit", (name) => {
    const root = schemaOf(name);
    expect(root).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: `urn:presence-batch:schema:${name}:1`,
      properties: { schema: { const: `presence-batch/${name}@1` } },
    });
    const silent: string[] = [];
    walk(root, (schema) => {
      for (const [property, given] of Object.entries(schema.properties ?? {})) {
        const said = given.description ?? root.$defs?.[given.$ref?.split("/").at(-1) ?? ""]?.description ?? "";
        if (!unitOf(property).test(said)) silent.push(property);
      }
    });
    expect(silent).toEqual([]);
  });
});

const unitOf = (property: string): RegExp =>
  /Ms$/.test(property) ? /\bms\b/ : property === "bytes" ? /bytes/i : property === "seconds" ? /seconds/ : /./;

/** Properties whose values are objects with any names. */
const MAPS = new Set(["quarantined", "unreadOptional", "types", "states", "examples"]);

/** With the first items of each list only. */
function trimmed(document: Json): Json {
  if (Array.isArray(document)) return document.slice(0, 3).map(trimmed);
  if (typeof document !== "object" || document === null) return document;
  return Object.fromEntries(Object.entries(document).map(([property, value]) => [property, trimmed(value)]));
}

/** The document with one thing wrong, for each place in it. */
function variants(document: Json, optional: readonly string[]): { what: string; changed: Json }[] {
  if (Array.isArray(document)) {
    return document.flatMap((item, i) =>
      variants(item, optional).map(({ what, changed }) => ({
        what: `[]${what}`,
        changed: [...document.slice(0, i), changed, ...document.slice(i + 1)],
      })),
    );
  }
  if (typeof document !== "object" || document === null) return [];
  return Object.entries(document).flatMap(([property, value]) => {
    const { [property]: _, ...rest } = document;
    const inner = MAPS.has(property) ? [] : variants(value, optional);
    return [
      ...(optional.includes(property) ? [] : [{ what: ` without ${property}`, changed: rest }]),
      { what: ` with more than ${property}`, changed: { ...document, more: 1 } },
      { what: ` with another ${property}`, changed: { ...document, [property]: [[]] } },
      ...inner.map(({ what, changed }) => ({
        what: `.${property}${what}`,
        changed: { ...document, [property]: changed },
      })),
    ];
  });
}
