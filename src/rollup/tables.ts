import type { Output } from "../engine/duckdb/write-table.ts";
import type { Period } from "../plan/periods.ts";

/** A published table of users by week or month. */
export interface RollupTable {
  readonly name: "user_weekly" | "user_monthly";
  readonly per: "week" | "month";
}

/** All of them. */
export const ROLLUP_TABLES: readonly RollupTable[] = [
  { name: "user_weekly", per: "week" },
  { name: "user_monthly", per: "month" },
];

const plain = (name: string, source = name) => ({ name, source, kind: "plain" }) as const;
const time = (name: string, source: string) => ({ name, source, kind: "time" }) as const;

/** What a file of either table holds. */
export const ROLLUP_OUTPUT: Output = {
  relation: "user_period",
  columns: [
    ...["user_id", "online_ms", "session_ms", "sessions", "active_days"].map((name) => plain(name)),
    plain("longest_day", "cast(longest_day as date)"),
    plain("longest_day_ms"),
    time("first_online_at", "first_online_ms"),
    time("last_online_at", "last_online_ms"),
  ],
  where: null,
  key: ["user_id"],
};

/** Where the file of a period and definition lies below the mart's root. */
export function rollupPath({ kind, name }: Period, metric: string, version: number): string {
  const table = ROLLUP_TABLES.find(({ per }) => per === kind)!;
  return `${table.name}/metric=${metric}/version=${version}/${kind}=${name}/part-00000.parquet`;
}
