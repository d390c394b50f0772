/** How many scenarios reach what: a generator that misses a rule cannot find a fault in it. */
import { type OracleResult, REASONS } from "../oracle/index.ts";
import { type Scenario, scenarioToOracleInput } from "./scenario.ts";

const CLOSE_REASONS = ["SESSION_CLOSE", "LOGOUT", "SERVER_TIMEOUT", "OPEN", "TIMEOUT"];

/** The names of all that a scenario can reach. */
export const FEATURES: readonly string[] = [
  ...REASONS,
  ...CLOSE_REASONS,
  "LATE_EVENT closer",
  "EVENT_AFTER_CLOSE SERVER_TIMEOUT",
  "IDENTITY_CONFLICT user_id",
  "IDENTITY_CONFLICT device_id",
  "reordered",
  "unread optional value",
  "unknown state",
  "missing hour",
  "R13 shift",
  "R14 fence cut",
  "R16 idle cut",
  "R19 too long",
  "R20 device cut",
  "online time",
  "two users online",
  "union below sum",
  "own state",
  "session across start",
  "session across end",
  "skipped date",
];

/** What a counted scenario has reached. */
export function reached(scenario: Scenario, result: OracleResult): Set<string> {
  const found = new Set<string>(Object.keys(result.counts.quarantined));
  for (const row of result.quarantined_events) found.add(`${row.reason} ${row.detail}`);
  const { startMs, endMs } = scenarioToOracleInput(scenario).window;
  const note = (name: string, is: boolean) => {
    if (is) found.add(name);
  };
  note("reordered", result.counts.reordered > 0);
  note("unread optional value", result.counts.unreadOptionalValues > 0);
  note("skipped date", startMs === endMs);
  for (const one of result.definitions) {
    for (const row of one.session_daily) {
      found.add(row.close_reason);
      note("session across start", row.started_at < startMs);
      note("session across end", row.last_event_at >= endMs);
    }
    note("unknown state", one.sessionsOfUnknownState > 0);
    note(
      "missing hour",
      one.minute_online.some((row) => row.online_users === null),
    );
    note("R13 shift", one.evidence.shifted > 0);
    note("R14 fence cut", one.evidence.fenceCuts > 0);
    note("R16 idle cut", one.evidence.idleCuts > 0);
    note("R19 too long", one.quarantined_sessions.length > 0);
    note("R20 device cut", one.evidence.deviceCuts > 0);
    note("online time", one.user_daily.length > 0);
    note("two users online", one.user_daily.length > 1);
    note(
      "union below sum",
      one.user_daily.some((row) => row.online_ms < row.session_ms),
    );
    note("own state", one.definition.states.size > 0 && one.user_daily.length > 0);
  }
  return found;
}

/** In how many of the scenarios each feature is reached. */
export function statistics(counted: Iterable<readonly [Scenario, OracleResult]>): Map<string, number> {
  const totals = new Map(FEATURES.map((name) => [name, 0]));
  for (const [scenario, result] of counted) {
    for (const name of reached(scenario, result)) {
      if (totals.has(name)) totals.set(name, totals.get(name)! + 1);
    }
  }
  return totals;
}
