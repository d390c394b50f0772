/** Shows a scenario to a human, and keeps one for later. */
import { readFileSync, writeFileSync } from "node:fs";
import type { RawBoolean, RawNumber, RawValues, Text } from "../oracle/types.ts";
import { eventsOf, type Scenario } from "./scenario.ts";
import { windowOf } from "./zones.ts";

const iso = (ms: number): string =>
  Number.isFinite(ms) && Math.abs(ms) < 8e15
    ? new Date(ms).toISOString().replace("T", " ").replace("Z", "")
    : String(ms);

/** `+1:02:03.004` after, `-0:00:00.001` before an instant. */
function relative(ms: number, base: number): string {
  const rest = Math.abs(ms - base);
  const two = (n: number) => String(n).padStart(2, "0");
  const clock = `${Math.floor(rest / 3_600_000)}:${two(Math.floor(rest / 60_000) % 60)}:${two(Math.floor(rest / 1000) % 60)}`;
  return `${ms < base ? "-" : "+"}${clock}.${String(rest % 1000).padStart(3, "0")}`;
}

function show(value: RawNumber | RawBoolean | Text, print: (known: number) => string = String): string {
  if (value === null) return "null";
  if (typeof value === "object") return `unreadable "${value.unreadable}"`;
  return typeof value === "number" ? print(value) : typeof value === "string" ? JSON.stringify(value) : String(value);
}

function renderRow(v: RawValues, base: number): string {
  const time = (value: RawNumber | RawBoolean | Text) => show(value, (ms) => `${iso(ms)} (${relative(ms, base)})`);
  const rest: string[] = [];
  const { others, server_time, event_id, user_id, session_id, event_type, sequence, session_epoch, ...optional } = v;
  for (const [name, value] of Object.entries(optional)) {
    if (value !== null)
      rest.push(`${name}=${name.endsWith("_time") || name.endsWith("_at") ? time(value) : show(value)}`);
  }
  for (const [name, value] of Object.entries(others)) if (value !== null) rest.push(`${name}*=${show(value)}`);
  const who = `${show(event_id)} ${show(user_id)} ${show(session_id)} epoch ${show(session_epoch)} seq ${show(sequence)}`;
  return `${time(server_time)} ${event_type ?? "null"} ${who} ${rest.join(" ")}`.trimEnd();
}

/** Readable text: window, settings, definitions, and the rows by their server time, relative to the start of the day. */
export function render(scenario: Scenario): string {
  const { startMs, endMs } = windowOf(scenario.zone, scenario.day);
  const { settings } = scenario;
  const line = (name: string, ms: number) => `  ${name.padEnd(12)} ${iso(ms)} (${relative(ms, startMs)})`;
  const events = eventsOf(scenario.lake);
  const timeOf = (value: RawNumber) => (typeof value === "number" ? value : Infinity);
  const sorted = events.sort((a, b) => {
    const [left, right] = [timeOf(a.values.server_time), timeOf(b.values.server_time)];
    return left === right ? 0 : left - right;
  });
  return [
    `${scenario.zone} ${scenario.day}`,
    line("read from", startMs - settings.lookbackMs),
    line("day start", startMs),
    line("day end", endMs),
    line("read to", endMs + settings.lookaheadMs),
    `settings ${JSON.stringify(settings)}`,
    ...scenario.definitions.map((definition) => `definition ${JSON.stringify(definition)}`),
    ...scenario.lake.files.map(
      (file, i) => `file ${i} hour ${iso(file.hourMs)} ${file.name} ${JSON.stringify(file.encoding)}`,
    ),
    `${events.length} rows, times relative to the start of the day; * marks columns that the contract does not know`,
    ...sorted.map((event) => `  ${renderRow(event.values, startMs)}  [${event.file} #${event.row}]`),
  ].join("\n");
}

export function saveScenario(scenario: Scenario, path: string): void {
  writeFileSync(path, `${JSON.stringify(scenario, null, 1)}\n`);
}

export function loadScenario(path: string): Scenario {
  return JSON.parse(readFileSync(path, "utf8")) as Scenario;
}
