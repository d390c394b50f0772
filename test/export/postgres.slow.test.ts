/** Into a real PostgreSQL: rows are the mart's, a date is replaced whole, and an export that dies changes nothing. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Workplace, workplace } from "../explain/workplace.ts";
import { runCommand } from "../support/command.ts";
import { compiledProgram } from "../support/compiled.ts";
import { type Postgres, startPostgres } from "../support/postgres.ts";
import { readPublished } from "../support/read-mart.ts";

let place: Workplace;
let postgres: Postgres;

beforeAll(async () => {
  [place, postgres] = await Promise.all([workplace(), startPostgres()]);
}, 180_000);
afterAll(async () => {
  await postgres?.stop();
  place?.remove();
});
beforeEach(async () => {
  await postgres.query("drop table if exists user_daily, session_daily, quarantined_events");
});

const DAY = ["--date", "2024-01-15", "--out", "mart"];
const args = (table: string, ...more: string[]) => ["export", "--table", table, ...DAY, "--to", postgres.url, ...more];
const exported = (table: string, ...more: string[]) => place.command(...args(table, ...more));
const users = () =>
  postgres.query("select user_id, online_ms from user_daily where metric = 'foreground' order by user_id");

describe("export --to postgres://…", () => {
  test("brings every row and column, exact", async () => {
    const { code, stdout, stderr } = await exported("session_daily", "--metric", "connected");
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^\d+ rows of session_daily written to PostgreSQL, table session_daily\n$/);
    const rows = await postgres.query('select * from session_daily order by session_id collate "C"');
    const wanted = await readPublished(
      join(place.folder, "mart"),
      "session_daily/metric=connected/version=1/date=2024-01-15",
    );
    expect(rows.length).toBeGreaterThan(1);
    const comparable = ({ date: _, metric, version, ...row }: Record<string, unknown>) => {
      expect({ metric, version }).toEqual({ metric: "connected", version: "1" });
      return Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Date ? value.getTime() : /_ms$|^intervals$/.test(name) ? Number(value) : value,
        ]),
      );
    };
    expect(rows.map(comparable)).toEqual(wanted.map((row) => ({ ...row })));
    expect(await postgres.query("select distinct date::text from session_daily")).toEqual([{ date: "2024-01-15" }]);
  });

  test("again, replaces the date; other dates and definitions stay", async () => {
    await exported("user_daily");
    const before = await postgres.query("select * from user_daily order by metric, user_id");
    await postgres.query(`insert into user_daily (date, metric, version, user_id, online_ms)
      values ('2024-01-14', 'foreground', 1, 'yesterday', 1), ('2024-01-15', 'foreground', 1, 'wrong', 1),
        ('2024-01-15', 'gone', 1, 'of a definition that the day has no more', 1)`);
    expect((await exported("user_daily", "--metric", "foreground")).code).toBe(0);
    expect(
      await postgres.query(
        "select user_id from user_daily where metric = 'gone' or user_id in ('wrong', 'yesterday') order by user_id",
      ),
    ).toEqual([{ user_id: "of a definition that the day has no more" }, { user_id: "yesterday" }]);
    expect((await exported("user_daily")).code).toBe(0);
    expect(await postgres.query("select * from user_daily where date = '2024-01-15' order by metric, user_id")).toEqual(
      before,
    );
    expect(await postgres.query("select user_id from user_daily where date <> '2024-01-15'")).toEqual([
      { user_id: "yesterday" },
    ]);
  });

  test("two at once do not add up", async () => {
    await exported("user_daily");
    const before = await users();
    const both = await Promise.all([
      runCommand(args("user_daily"), { cwd: place.folder }),
      runCommand(args("user_daily"), { cwd: place.folder }),
    ]);
    expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(2).fill({ code: 0, stderr: "" }));
    expect(await users()).toEqual(before);
  });

  test.each(["SIGKILL", "SIGTERM"] as const)("%s in the middle leaves the old rows", async (signal) => {
    await exported("user_daily");
    const before = await users();
    // The first row takes its time, so that the process is met between the delete and the commit.
    await postgres.query(`create or replace function slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(30); return new; end $$`);
    await postgres.query("create trigger slow before insert on user_daily for each row execute function slow()");
    const command = [join(compiledProgram(), "bin/presence-batch.js"), ...args("user_daily")];
    const child = spawn(process.execPath, command, { cwd: place.folder, stdio: "ignore" });
    const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
    const copying = "select pid from pg_stat_activity where application_name = 'presence-batch' and query like 'copy%'";
    await until(async () => (await postgres.query(copying)).length > 0);
    child.kill(signal);
    expect(await ended).toBe(signal === "SIGKILL" ? null : 143);
    await postgres.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'presence-batch'`,
    );
    await until(async () => (await postgres.query(copying)).length === 0);
    expect(await users()).toEqual(before);
  });

  test("a table that does not fit, no database, no server: what is wrong, and no password", async () => {
    await postgres.query("create table user_daily (date date, metric text, version bigint, user_id text)");
    const misfit = await exported("user_daily");
    expect(misfit.stderr).toMatch(
      /^error: PostgreSQL 127\.0\.0\.1:\d+\/postgres, table user_daily: column "online_ms" .*\nMend the table /,
    );
    expect(misfit.code).toBe(2);
    expect(await postgres.query("select * from user_daily")).toEqual([]);
    const at = (url: string) => place.command("export", "--table", "user_daily", ...DAY, "--to", url);
    const lacking = await at(postgres.url.replace(/\/postgres$/, "/nowhere"));
    expect(lacking.stderr).toMatch(/database "nowhere" does not exist\nMend the URL/);
    expect(lacking.code).toBe(2);
    const closed = await at("postgres://analyst:sesame@127.0.0.1:1/postgres");
    expect(closed.stderr).toMatch(
      /^error: PostgreSQL 127\.0\.0\.1:1\/postgres: .*ECONNREFUSED.*\nSee that the server runs/,
    );
    expect(closed.code).toBe(3);
    for (const { stdout, stderr } of [misfit, lacking, closed]) expect(stdout + stderr).not.toMatch(/sesame/);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries === 300) throw new Error("has not come about in 30 s");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
