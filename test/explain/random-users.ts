/** Random lakes: what explain tells of a user is what the whole pipeline counts, and tells every event once. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { checkBounds } from "../../src/definitions/bounds.ts";
import { builtinDefinitions } from "../../src/definitions/builtin.ts";
import type { Definition } from "../../src/definitions/definition.ts";
import type { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import type { ExplainedUser } from "../../src/explain/explain-user.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";
import { scenarioFromSeed } from "../fuzz/arbitrary.ts";
import { readable } from "../fuzz/compare.ts";
import { eventsOf, scenarioToOracleInput } from "../fuzz/scenario.ts";
import { writeLake } from "../fuzz/write-lake.ts";
import type { RawEvent } from "../oracle/index.ts";
import { plain } from "../support/pipeline-rows.ts";
import { withStages } from "../support/run-memory.ts";
import { explainUsers } from "./explain-scenario.ts";

const FIRST_SEED = Number(process.env.SEED ?? 0);

/** So many users of random lakes, from the seed in SEED on, have the numbers of the pipeline under every definition. */
export async function explainRandomUsers(atLeast: number): Promise<void> {
  let users = 0;
  let online = 0;
  for (let seed = FIRST_SEED; users < atLeast; seed++) {
    const found = await explainSeed(seed);
    users += found.users;
    online += found.online;
  }
  // Most numbers would agree if nobody were online.
  expect(online).toBeGreaterThan(atLeast);
}

async function explainSeed(seed: number): Promise<{ users: number; online: number }> {
  const { scenario, definitions: own } = readable(scenarioFromSeed(seed));
  const { settings } = scenario;
  const definitions = [
    ...builtinDefinitions().filter((definition) => isWithin(definition, settings)),
    ...own.slice(0, 2),
  ];
  const window = scenarioToOracleInput(scenario).window;
  const events = eventsOf(scenario.lake);
  const users = [...new Set(events.map(({ values }) => values.user_id))].filter((user) => user !== null && user !== "");
  // explain tells of all sessions of the read window, also of those that cannot bear on the day.
  const expected = await withStages({ events, settings, definitions, window, sessions: "all" }, countedDay);
  const lake = await mkdtemp(join(tmpdir(), "explain-lake-"));
  try {
    await writeLake(scenario, lake);
    const given = { lake, settings, window, definitions };
    const withTime = await explainUsers(
      given,
      users as string[],
      { fold: seed % 2 === 1, limit: 1000 },
      (user, explained, session) =>
        check(`seed ${seed}, user ${user}`, { user, explained, session, expected, definitions, events }),
    );
    return { users: users.length, online: withTime.reduce((sum, each) => sum + each, 0) };
  } finally {
    await rm(lake, { recursive: true });
  }
}

type Rows = readonly Record<string, unknown>[];

interface CountedDay {
  readonly daily: Rows;
  readonly intervals: Rows;
  /** `file row` of every event of the read window. */
  readonly inWindow: readonly string[];
  readonly reasons: ReadonlyMap<string, unknown>;
}

/** What the whole pipeline says of all users. */
async function countedDay(session: DuckDbSession): Promise<CountedDay> {
  const rows = async (sql: string) => (await session.rows(sql)).map(plain) as Rows;
  const placed = "f.path || ' ' || (e.event_no % 4294967296) as place";
  const files = "join source_files f on f.file_no = e.event_no // 4294967296";
  const verdicts = await rows(`select ${placed}, e.reason from event_verdicts e ${files}`);
  return {
    daily: await rows("select * from user_daily"),
    intervals: await rows("select * from user_intervals order by start_ms"),
    inWindow: (await rows(`select ${placed} from readings_seen e ${files}`)).map(({ place }) => String(place)),
    reasons: new Map(verdicts.map(({ place, reason }) => [String(place), reason])),
  };
}

interface Checked {
  readonly user: string;
  readonly explained: ExplainedUser;
  readonly session: DuckDbSession;
  readonly expected: CountedDay;
  readonly definitions: readonly Definition[];
  readonly events: readonly RawEvent[];
}

/** Gives under how many definitions the user has time. */
async function check(said: string, checked: Checked): Promise<number> {
  const { explained, session, definitions } = checked;
  const withTime = definitions.filter((_, metricNo) => checkNumber(said, checked, metricNo)).length;
  checkEvents(said, checked);
  expect(explained.list.leftOut, said).toBe(0);
  // How slots are told to have come about is what the stages made of them.
  const [odd] = await session.rows(`select count(*) as odd from (
      select metric_no, session_no, tau_ms as start_ms, slot_end_ms as end_ms, true as told
      from explained_steps where slot_end_ms > tau_ms
    ) e full join (
      select metric_no, session_no, start_ms, end_ms, true as counted
      from slots where session_no in (select session_no from explained_sessions where of_user)
    ) s using (metric_no, session_no, start_ms, end_ms)
    where e.told is null or s.counted is null`);
  expect(Number(odd!.odd), `${said}: slots`).toBe(0);
  return withTime;
}

function checkNumber(said: string, { user, explained, expected, definitions }: Checked, metricNo: number): boolean {
  const where = `${said}, ${definitions[metricNo]!.name}@${definitions[metricNo]!.version}`;
  const own = (rows: Rows) => rows.filter((row) => row.metric_no === metricNo && row.user_id === user);
  const [row] = own(expected.daily);
  const times = explained.times[metricNo]!;
  expect([times.onlineMs, times.sessionMs], where).toEqual([row?.online_ms ?? 0, row?.session_ms ?? 0]);
  expect(times.intervals, where).toEqual(
    own(expected.intervals).map(({ start_ms, end_ms }) => ({ startMs: start_ms, endMs: end_ms })),
  );
  const counted = explained.list.events.flatMap(({ steps, folded }) => [
    steps[metricNo]?.countedMs ?? 0,
    folded?.steps[metricNo]?.countedMs ?? 0,
  ]);
  expect(
    counted.reduce((sum, ms) => sum + ms, 0),
    `${where}: what slots count`,
  ).toBe(times.sessionMs);
  return times.onlineMs > 0;
}

/** Every event of the user in the read window is told exactly once, with the verdict that it has among all events. */
function checkEvents(said: string, { user, explained, expected, events }: Checked): void {
  const { list, totals } = explained;
  const place = ({ sourceFile, sourceRow }: { sourceFile: string; sourceRow: number }) => `${sourceFile} ${sourceRow}`;
  const userAt = new Map(events.map((event) => [`${event.file} ${event.row}`, event.values.user_id]));
  const seen = expected.inWindow.filter((at) => userAt.get(at) === user).sort();
  const places = list.events.map(place);
  expect(new Set(places).size, said).toBe(places.length);
  const folded = list.events.reduce((sum, event) => sum + (event.folded?.count ?? 0), 0);
  expect(places.length + folded, said).toBe(totals.events);
  expect(totals.ofUser, said).toBe(seen.length);
  const own = list.events.filter(({ ofUser }) => ofUser).map(place);
  if (folded === 0) expect(own.sort(), said).toEqual(seen);
  // Folded or not, every quarantined event is told.
  expect(own.filter((at) => expected.reasons.has(at)).sort(), said).toEqual(
    seen.filter((at) => expected.reasons.has(at)),
  );
  for (const event of list.events) {
    const reason = event.verdict.kind === "quarantined" ? event.verdict.reason : undefined;
    expect(reason, `${said}: ${place(event)}`).toBe(expected.reasons.get(place(event)));
  }
}

function isWithin(definition: Definition, settings: LakeSettings): boolean {
  try {
    checkBounds(definition, settings);
    return true;
  } catch {
    return false;
  }
}
