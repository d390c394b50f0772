/** `npm run bench:drift`: what comparing a million users on both sides takes, as a whole process. See `--help`. */
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { BIN } from "./lakes.ts";
import { measure, median } from "./process.ts";

const HELP = `npm run bench:drift -- [--users N] [--rounds N] [--cache DIR]

Makes a lake in which every user has one session, rebuilds its day, and writes a realtime file (CSV, and Parquet) with other figures
for one user in fifty, and one in a thousand on one side only; all is cached below --cache (default <tmp>/presence-batch-bench).
Then runs presence-batch drift on 2 threads, and diff of the day with itself, --rounds times each: medians of wall time, peak memory.
`;

const DAY = "2026-07-29";
const GOAL = { seconds: 10, bytes: 1e9 };

const { values } = parseArgs({
  options: {
    users: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "3" },
    cache: { type: "string", default: join(tmpdir(), "presence-batch-bench") },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await run(Number(values.users), Number(values.rounds), values.cache);

async function run(users: number, rounds: number, cache: string): Promise<void> {
  const folder = await prepared(users, cache);
  const mart = join(folder, "mart");
  const drift = (file: string) => {
    const limits = ["--max-total-drift", "100%", "--max-users-over", "100%", "--no-record", "--threads", "2"];
    return [BIN, "drift", "--date", DAY, "--realtime", join(folder, file), "--out", mart, "--json", ...limits];
  };
  const sides = ["--base", "connected", "--head", "connected@1"];
  const commands: readonly (readonly [string, readonly string[]])[] = [
    ["drift, CSV", drift("realtime.csv")],
    ["drift, Parquet", drift("realtime.parquet")],
    ["diff", [BIN, "diff", ...sides, "--date", DAY, "--out", mart, "--json", "--threads", "2"]],
  ];
  for (const [name, command] of commands) {
    const measured = [];
    for (let round = 0; round < rounds; round++) measured.push(await measure(command));
    const seconds = median(measured.map((each) => each.seconds));
    const cpu = median(measured.map((each) => each.cpuSeconds));
    const bytes = median(measured.map((each) => each.peakRssBytes));
    const met = seconds < GOAL.seconds && bytes < GOAL.bytes ? "met" : "NOT met";
    process.stdout.write(
      `${name.padEnd(15)} ${users} users: ${seconds.toFixed(1)} s (CPU ${cpu.toFixed(1)} s), ${(bytes / 1e6).toFixed(0)} MB; below ${GOAL.seconds} s and ${GOAL.bytes / 1e6} MB: ${met}\n`,
    );
  }
}

async function prepared(users: number, cache: string): Promise<string> {
  const folder = join(cache, `drift-${users}-users`);
  if (existsSync(folder)) return folder;
  const half = `${folder}.unfinished-${process.pid}`;
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run("set timezone = 'UTC'");
  for (let hour = 0; hour < 24; hour++) {
    const partition = join(half, `lake/event_date=${DAY}/event_hour=${String(hour).padStart(2, "0")}`);
    mkdirSync(partition, { recursive: true });
    await connection.run(`copy (${events(users, hour)}) to '${partition}/a.parquet' (format parquet)`);
  }
  const [lake, mart] = [join(half, "lake"), join(half, "mart")];
  await measure([BIN, "rebuild", "--date", DAY, "--lake", lake, "--out", mart, "--tz", "UTC", "--metric", "connected"]);
  const daily = `'${mart}/user_daily/metric=connected/version=1/date=${DAY}/part-00000.parquet'`;
  const figures = `select case when n % 1000 = 0 then 'only-' || user_id else user_id end as user_id,
      online_ms + case when n % 50 = 0 then 30000 else 0 end as online_ms
    from (select user_id, online_ms, row_number() over (order by user_id) as n from ${daily})`;
  await connection.run(`copy (${figures}) to '${half}/realtime.csv' (header)`);
  await connection.run(`copy (${figures}) to '${half}/realtime.parquet' (format parquet)`);
  connection.closeSync();
  renameSync(half, folder);
  return folder;
}

/** The users of an hour, each with a start and, up to a minute later, a close. */
function events(users: number, hour: number): string {
  return `
    select 'e' || i || '-' || s as event_id, 'user-' || i as user_id, 'session-' || i as session_id,
      case s when 0 then 'SESSION_START' else 'SESSION_CLOSE' end as event_type, cast(s as bigint) as sequence,
      timestamptz '${DAY} 00:00:00+00' + interval (${hour}) hour + interval (i % 3000000 // 24 + s * (1000 + i % 59000)) millisecond
        as server_time
    from range(${users}) u(i) cross join range(2) n(s)
    where i % 24 = ${hour}`;
}
