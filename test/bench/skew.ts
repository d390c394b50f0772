import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { sqlText } from "../../src/engine/duckdb/reading/sql-text.ts";
import { sampleLake } from "./lakes.ts";

/** Whose a share of all events is. */
export interface Skew {
  readonly of: "session" | "user";
  readonly share: number;
}

/** One session has a tenth of all events, or one user's sessions have; then a thousandth. */
export const SKEWS: readonly Skew[] = [0.1, 0.001].flatMap((share) => [
  { of: "session", share },
  { of: "user", share },
]);

/**
 * The sample lake with as many events, of which about a share is one session's or one user's: the heartbeats of some sessions become one
 * session, in the order of their arrival; or some sessions become one user's.
 */
export async function skewedLake(cache: string, users: number, { of, share }: Skew): Promise<string> {
  const even = await sampleLake(cache, users, 2);
  const lake = `${even}-${of}-${share}`;
  if (existsSync(lake)) return lake;
  const half = `${lake}.unfinished-${process.pid}`;
  const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  const isTaken = `hash(session_id) % 10000 < ${share * 10_000}`;
  const taken = of === "session" ? `event_type = 'HEARTBEAT' and ${isTaken}` : isTaken;
  const own = [`if(is_taken, 'skewed', user_id) as user_id`, `if(is_taken, 'skewed', device_id) as device_id`];
  if (of === "session") {
    own.push(
      "if(is_taken, 'skewed', session_id) as session_id",
      "if(is_taken, row_number() over (partition by is_taken order by server_time, event_id), sequence) as sequence",
      "if(is_taken, 1, session_epoch)::integer as session_epoch",
    );
  }
  await duckdb.run("set TimeZone = 'UTC'");
  await duckdb.run(`copy (
    select * exclude (is_taken) replace (${own.join(", ")})
    from (
      select *, coalesce(${taken}, false) as is_taken
      from read_parquet(${sqlText(join(even, "*/*/*.parquet"))}, hive_partitioning = true, hive_types_autocast = false)
    )
  ) to ${sqlText(half)} (format parquet, compression zstd, partition_by (event_date, event_hour))`);
  renameSync(half, lake);
  return lake;
}
