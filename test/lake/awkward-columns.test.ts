import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { fixedEffects, optionsOf } from "../support/rebuild-options.ts";

test("columns of the lake may be called as ours are, or differ in case only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "presence-awkward-"));
  try {
    const hour = join(folder, "lake/event_date=2024-01-15/event_hour=10");
    await mkdir(hour, { recursive: true });
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const row = (id: string, ms: number, sequence: number, rank: number) =>
      `('${id}', 'u1', 's1', 'HEARTBEAT', ${ms}, ${sequence}, ${rank}, 'a', 'b', 'c')`;
    const at = Date.UTC(2024, 0, 15, 10);
    await connection.run(`copy (select * from (values ${[row("e1", at, 1, 10), row("e1", at, 1, 9), row("e2", at + 20_000, 2, 1)].join(", ")})
      as t(event_id, user_id, session_id, event_type, server_time, sequence, event_no, reason, time_ms, other_0))
      to '${join(hour, "a.parquet")}' (format parquet)`);
    connection.closeSync();
    const result = await rebuild(
      optionsOf({ lake: join(folder, "lake"), out: join(folder, "out"), date: "2024-01-15", missingHours: 24 }),
      fixedEffects(),
    );
    expect(result.days[0]?.events).toMatchObject({ owned: 3, accepted: 2, quarantined: { DUPLICATE_EVENT: 1 } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
