import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, test } from "vitest";
import { scenarioFromSeed } from "./arbitrary.ts";
import { loadScenario, render, saveScenario } from "./render.ts";
import { eventsOf, pathOf, type Scenario } from "./scenario.ts";
import { writeLake } from "./write-lake.ts";

const dir = mkdtempSync(join(tmpdir(), "write-lake-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const snake = (name: string) => {
  const known = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return known === "epoch" ? "session_epoch" : known;
};

/** A stored value in one comparable form, by the type of its column. */
function plain(value: unknown, type: string): string | null {
  if (value === null || value === undefined || value === "") return null;
  const text = String(value);
  return type.startsWith("TIMESTAMP") ? String(Math.floor(Number(text) / 1000)) : text;
}

/** The same for a value of the scenario, given how the file stores it. */
function expected(value: unknown, type: string, isTime: boolean): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "object") return (value as { unreadable: string }).unreadable;
  return isTime && type === "VARCHAR" ? new Date(Number(value)).toISOString().replace("Z", "") : String(value);
}

async function check(duckdb: DuckDBConnection, scenario: Scenario, lake: string): Promise<Set<string>> {
  const types = new Set<string>();
  for (const file of scenario.lake.files) {
    const path = join(lake, pathOf(file)).replaceAll("'", "''").replaceAll("[", "[[]");
    const source = `read_parquet('${path}', hive_partitioning = false)`;
    const described = (await duckdb.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`)).getRowObjects();
    const columns = described.map((row) => ({ name: String(row.column_name), type: String(row.column_type) }));
    const select = columns.map(({ name, type }) =>
      type.startsWith("TIMESTAMP") ? `epoch_us("${name}")::VARCHAR AS "${name}"` : `"${name}"::VARCHAR AS "${name}"`,
    );
    const rows = (await duckdb.runAndReadAll(`SELECT ${select.join(", ")} FROM ${source}`)).getRowObjects();
    expect(rows.length).toBe(file.rows.length);
    file.rows.forEach((values, i) => {
      const all: Record<string, unknown> = { ...values, ...values.others };
      for (const { name, type } of columns) {
        types.add(`${snake(name)} ${type}`);
        const isTime = ["server_time", "client_time", "last_active_at"].includes(snake(name));
        let got = plain(rows[i]![name], type);
        if (isTime && type === "VARCHAR") got = got?.replace(" ", "T").replace("Z", "") ?? null;
        if (type === "DOUBLE" && got !== null) got = String(Number(got));
        expect(got, `${pathOf(file)} #${i} ${name} ${type}`).toBe(expected(all[snake(name)], type, isTime));
      }
      const stored = new Set(columns.map(({ name }) => snake(name)));
      for (const [name, value] of Object.entries({ ...values, ...values.others, others: null })) {
        if (value !== null && value !== "" && name !== "others") expect(stored.has(name), name).toBe(true);
      }
    });
  }
  return types;
}

test("lakes hold the scenario's values at their rows, in many physical types", async () => {
  const duckdb = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  await duckdb.run("SET TimeZone = 'UTC'");
  const types = new Set<string>();
  for (let seed = 0; seed < 15; seed++) {
    const lake = join(dir, `lake-${seed}`);
    await writeLake(scenarioFromSeed(seed), lake);
    for (const type of await check(duckdb, scenarioFromSeed(seed), lake)) types.add(type);
  }
  for (const type of ["TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE", "BIGINT", "VARCHAR"]) {
    expect([...types]).toContain(`server_time ${type}`);
  }
  duckdb.closeSync();
  for (const type of ["BIGINT", "INTEGER", "DOUBLE", "VARCHAR"]) expect([...types]).toContain(`sequence ${type}`);
}, 60_000);

test("a scenario survives being saved, and is readable", () => {
  const scenario = scenarioFromSeed(3);
  saveScenario(scenario, join(dir, "scenario.json"));
  expect(loadScenario(join(dir, "scenario.json"))).toEqual(scenario);
  expect(render(scenario).split("\n").length).toBeGreaterThan(eventsOf(scenario.lake).length);
});
