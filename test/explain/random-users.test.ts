/** Random lakes: what explain tells of a user is what the whole pipeline counts, and tells every event once. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkBounds } from "../../src/definitions/bounds.ts";
import { builtinDefinitions } from "../../src/definitions/builtin.ts";
import type { Definition } from "../../src/definitions/definition.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";
import { scenarioFromSeed } from "../fuzz/arbitrary.ts";
import { readable } from "../fuzz/compare.ts";
import { eventsOf, scenarioToOracleInput } from "../fuzz/scenario.ts";
import { writeLake } from "../fuzz/write-lake.ts";
import { plain } from "../support/pipeline-rows.ts";
import { withStages } from "../support/run-memory.ts";
import { explainUsers } from "./explain-scenario.ts";

const FIRST_SEED = Number(process.env.SEED ?? 0);
const USERS = Number(process.env.EXPLAIN_USERS ?? 200);

test(`${USERS} random users have the numbers of the pipeline under every definition`, async () => {
  let users = 0;
  let online = 0;
  for (let seed = FIRST_SEED; users < USERS; seed++) {
    const found = await explainSeed(seed);
    users += found.users;
    online += found.online;
  }
  // Most numbers would agree if nobody were online.
  expect(online).toBeGreaterThan(USERS);
}, 600_000);

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
  const expected = await withStages({ events, settings, definitions, window }, async (session) => ({
    daily: (await session.rows("select * from user_daily")).map(plain) as Record<string, unknown>[],
    intervals: (await session.rows("select * from user_intervals order by start_ms")).map(plain) as Record<
      string,
      unknown
    >[],
    inWindow: (await session.rows("select event_no from readings_seen")).map(({ event_no }) => Number(event_no)),
    verdicts: new Map(
      (await session.rows("select * from event_verdicts")).map((row) => [Number(row.event_no), row.reason]),
    ),
    files: (await session.rows("select * from source_files")).map(plain) as { file_no: number; path: string }[],
  }));
  const lake = await mkdtemp(join(tmpdir(), "explain-lake-"));
  try {
    await writeLake(scenario, lake);
    const given = { lake, settings, window, definitions };
    const sums = await explainUsers(
      given,
      users as string[],
      { fold: false, limit: 1000 },
      async (user, explained, session) => {
        const said = `seed ${seed}, user ${user}`;
        let withTime = 0;
        for (const [metricNo, { name, version }] of definitions.entries()) {
          const row = expected.daily.find(
            (candidate) => candidate.metric_no === metricNo && candidate.user_id === user,
          );
          const times = explained.times[metricNo]!;
          const where = `${said}, ${name}@${version}`;
          expect([times.onlineMs, times.sessionMs], where).toEqual([row?.online_ms ?? 0, row?.session_ms ?? 0]);
          const own = expected.intervals.filter((each) => each.metric_no === metricNo && each.user_id === user);
          expect(times.intervals, where).toEqual(
            own.map(({ start_ms, end_ms }) => ({ startMs: start_ms, endMs: end_ms })),
          );
          const counted = explained.list.events.reduce(
            (sum, event) => sum + (event.steps[metricNo]?.countedMs ?? 0),
            0,
          );
          expect(counted, `${where}: what slots count`).toBe(times.sessionMs);
          if (times.onlineMs > 0) withTime++;
        }
        // Every event of the user in the read window exactly once, with the verdict that it has among all events.
        const place = ({ sourceFile, sourceRow }: { sourceFile: string; sourceRow: number }) =>
          `${sourceFile} ${sourceRow}`;
        const pathOf = new Map(expected.files.map(({ file_no, path }) => [file_no, path]));
        const placeOf = (no: number) => `${pathOf.get(Math.floor(no / 2 ** 32))} ${no % 2 ** 32}`;
        const byPlace = new Map(events.map((event) => [`${event.file} ${event.row}`, event]));
        const seen = expected.inWindow.map(placeOf).filter((at) => byPlace.get(at)!.values.user_id === user);
        const listed = explained.list.events.filter(({ ofUser }) => ofUser);
        expect(listed.map(place).sort(), said).toEqual(seen.sort());
        expect(new Set(explained.list.events.map(place)).size, said).toBe(explained.list.events.length);
        const reasons = new Map([...expected.verdicts].map(([no, reason]) => [placeOf(no), reason]));
        for (const event of explained.list.events) {
          const reason = event.verdict.kind === "quarantined" ? event.verdict.reason : undefined;
          expect(reason, `${said}: ${place(event)}`).toBe(reasons.get(place(event)));
        }
        // How slots are told to have come about is what the stages made of them.
        const [odd] = await session.rows(`select count(*) as odd from (
        select metric_no, session_no, tau_ms as start_ms, slot_end_ms as end_ms from explained_steps where slot_end_ms > tau_ms
      ) e full join (
        select * from slots where session_no in (select session_no from explained_sessions where of_user)
      ) s using (metric_no, session_no, start_ms, end_ms) where e.start_ms is null or s.start_ms is null
        or e.metric_no is null or s.mask is null`);
        expect(Number(odd!.odd), `${said}: slots`).toBe(0);
        return withTime;
      },
    );
    return { users: users.length, online: sums.reduce((sum, each) => sum + each, 0) };
  } finally {
    await rm(lake, { recursive: true });
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
