/** Random lakes: who was online at an instant is whom the reference counter, or a replay of a realtime online list, says. */
import { expect, test } from "vitest";
import { builtinDefinitions } from "../../src/definitions/builtin.ts";
import type { Definition } from "../../src/definitions/definition.ts";
import type { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import { askInstant, readOnlineUsers } from "../../src/online/count-online.ts";
import { scenarioFromSeed } from "../fuzz/arbitrary.ts";
import { readable } from "../fuzz/compare.ts";
import { scenarioToOracleInput } from "../fuzz/scenario.ts";
import { count, judge, type OracleInput } from "../oracle/index.ts";
import { withStages } from "../support/run-memory.ts";
import { OnlineList, signalsOf } from "./online-list.ts";

const INSTANTS = 8;

async function atInstants(
  input: OracleInput,
  definition: Definition,
  instants: readonly number[],
  check: (atMs: number, users: Awaited<ReturnType<typeof readOnlineUsers>>) => void,
): Promise<void> {
  const events = input.lake.events;
  const ask = async (session: DuckDbSession) => {
    for (const atMs of instants) {
      await session.run("drop table if exists instants; drop table if exists online_at");
      await askInstant(session, atMs);
      check(atMs, await readOnlineUsers(session, definition, 1_000));
    }
  };
  await withStages({ ...input, events, definitions: [definition] }, ask);
}

/** Instants within the day: at the edges of what is given, and between. */
function instantsOf({ window }: OracleInput, edges: readonly number[], seed: number): number[] {
  let state = seed;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const length = window.endMs - window.startMs;
  return Array.from({ length: length > 0 ? INSTANTS : 0 }, (_, i) => {
    if (i % 4 === 3 || edges.length === 0) return window.startMs + (random(length) % length);
    return edges[random(edges.length)]! + [-1, 0, 1][random(3)]!;
  }).filter((atMs) => atMs >= window.startMs && atMs < window.endMs);
}

const isAt = (atMs: number) => (row: { start_at: number; end_at: number }) => row.start_at <= atMs && atMs < row.end_at;

const builtin = (wanted: string) => builtinDefinitions().find(({ name }) => name === wanted)!;
const [CONNECTED, LAST_SEEN] = [builtin("connected"), builtin("last-seen-60s")];

/** Makes the tests of random lakes with these seeds. */
export function testInstants(seeds: readonly number[]): void {
  const seen = { online: 0, nobody: 0, severalDevices: 0 };

  test.each(seeds)("lake %i: users, devices and last activity are the reference counter's", async (seed) => {
    const { scenario, definitions } = readable(scenarioFromSeed(seed));
    const own = definitions[seed % Math.max(1, definitions.length)];
    const definition = seed % 2 === 0 || own === undefined ? CONNECTED : own;
    const input = scenarioToOracleInput(scenario);
    const [expected] = count({ ...input, definitions: [definition] }).definitions;
    const sessions = new Map(judge(input).sessions.map((session) => [session.sessionId, session]));
    const all = expected!.user_intervals.flatMap((row) => [row.start_at, row.end_at]);
    const shared = expected!.session_intervals.filter((row) =>
      expected!.session_intervals.some(
        (other) => other.user_id === row.user_id && other.device_id !== row.device_id && isAt(row.start_at)(other),
      ),
    );
    const edges = shared.length > 0 ? shared.map((row) => row.start_at) : all;
    await atInstants(input, definition, instantsOf(input, edges, seed), (atMs, users) => {
      const online = expected!.user_intervals.filter(isAt(atMs));
      const parts = expected!.session_intervals.filter(isAt(atMs));
      const wanted = online.map(({ user_id, start_at }) => {
        const own = parts.filter((part) => part.user_id === user_id);
        const taus = own.flatMap(({ session_id }) =>
          sessions
            .get(session_id)!
            .epochs.flatMap(({ ordered, tau, accepted }) =>
              ordered.flatMap((event, i) => (accepted.includes(event) && tau[i]! <= atMs ? [tau[i]!] : [])),
            ),
        );
        return {
          userId: user_id,
          sinceMs: start_at,
          sessions: own.length,
          devices: new Set(own.map((part) => part.device_id ?? `session ${part.session_id}`)).size,
          ...(definition.lateUpload === "ignore" ? { lastSeenMs: Math.max(...taus) } : {}),
        };
      });
      const got = users.map(({ userId, sinceMs, sessions: own, devices, lastSeenMs }) => ({
        ...{ userId, sinceMs, sessions: own, devices },
        ...(definition.lateUpload === "ignore" ? { lastSeenMs } : {}),
      }));
      const byId = (a: { userId: string }, b: { userId: string }) => (a.userId < b.userId ? -1 : 1);
      expect(got.toSorted(byId), `at ${atMs}`).toEqual(wanted.toSorted(byId));
      if (users.length > 0) seen.online++;
      else seen.nobody++;
      if (users.some(({ devices }) => devices > 1)) seen.severalDevices++;
    });
  });

  const replayed = { online: 0, users: 0 };

  test.each(seeds)("lake %i: last-seen-60s is an online list by last-seen score", async (seed) => {
    const { scenario } = readable(scenarioFromSeed(1_000 + seed));
    const input = scenarioToOracleInput(scenario);
    // The definition is bound to the mart's window.
    if (LAST_SEEN.gapMaxMs > Math.min(input.settings.lookaheadMs, input.settings.lookbackMs)) return;
    const signals = signalsOf(judge(input).sessions);
    const edges = signals.flatMap(({ atMs }) => [atMs, atMs + 60_000]);
    await atInstants(input, LAST_SEEN, instantsOf(input, edges, seed), (atMs, users) => {
      const list = new OnlineList(60_000);
      for (const signal of signals) if (signal.atMs <= atMs) list.hear(signal);
      const got = users.map(({ userId, lastSeenMs }) => ({ userId, lastSeenMs }));
      expect(got, `at ${atMs}`).toEqual(list.online(atMs));
      replayed.online += got.length > 0 ? 1 : 0;
      replayed.users = Math.max(replayed.users, got.length);
    });
  });

  test("the instants met users, nobody, several devices and several users", () => {
    expect(seen.online).toBeGreaterThan(seeds.length);
    expect(seen.nobody).toBeGreaterThan(0);
    expect(seen.severalDevices).toBeGreaterThan(0);
    expect(replayed.online).toBeGreaterThan(seeds.length);
    expect(replayed.users).toBeGreaterThan(1);
  });
}
