import { usageError } from "../errors.ts";
import { lasting, zoneClock } from "../explain/clock.ts";
import type { OnlineAnswer, OnlineInMart } from "../online/answer.ts";
import { readOptions } from "../plan/config.ts";
import { parseInstant } from "../plan/instant.ts";
import { SETTING_OPTIONS } from "../plan/option-table.ts";
import * as value from "../plan/option-values.ts";
import { type Paint, paintFor, printable } from "./ansi.ts";
import { count, countOf } from "./format.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, named, needed, neededLake, reporting } from "./mart-options.ts";
import { type Column, table } from "./table.ts";

const TEXT_LIMIT = 50;
/** Keeps the document to some 20 MB. */
const JSON_LIMIT = 100_000;
const MAX_LIMIT = 10_000_000;

/** `online`: reads the options and shows who was online. */
export async function onlineAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const merged = readOptions({ flags, env: io.env, cwd: io.cwd });
  const { values, settings } = merged;
  const at = needed(flags.at as string | undefined, "at", "the instant", "--at 2026-07-29T20:00:00+08:00");
  const atMs = named("at", () => parseInstant(at));
  if (atMs > io.now()) throw usageError(`--at ${at} lies in the future`, "Ask for an instant that has been.");
  const metrics = values.metric ?? null;
  if (metrics !== null && metrics.length > 1) {
    throw usageError(`--metric names ${metrics.length} definitions: one decides who is online`, "Ask for each apart.");
  }
  const json = values.json ?? false;
  const given = Object.keys(SETTING_OPTIONS).some((name) => values[name as keyof typeof values] !== undefined);
  const options = {
    atMs,
    lake: neededLake(values.lake, "which tells when each client was heard"),
    out: values.out ?? null,
    zone: values.tz ?? null,
    settings: given ? settings : null,
    metrics,
    limit:
      flags.limit === undefined
        ? json
          ? JSON_LIMIT
          : TEXT_LIMIT
        : named("limit", () => value.integer(1, MAX_LIMIT)(flags.limit, false)),
    threads: values.threads ?? null,
    memoryLimitBytes: values.memoryLimit ?? null,
    tempDir: values.tempDir ?? null,
  };
  await reporting(merged, async () => {
    const { online } = await import("../usecases/online.ts");
    signal.throwIfAborted();
    const answer = await online(options, { nowMs: io.now(), signal, s3: merged.s3 });
    if (json) printJson(io, "online", answer);
    else io.stdout(onlineText(answer, paintFor(io, "stdout")));
  });
}

const COLUMNS: readonly Column[] = [
  { title: "user", align: "left" },
  { title: "last seen", align: "left" },
  { title: "before", align: "right" },
  { title: "online since", align: "left" },
  { title: "devices", align: "right" },
  { title: "state", align: "left" },
  { title: "client", align: "left" },
];

function onlineText(answer: OnlineAnswer, paint: Paint): string {
  const { atMs, zone, dayMs, metric, version, users, sessions, devices, online, mart, notes } = answer;
  const clock = zoneClock(zone, dayMs);
  const rows = online.map((user) => [
    printable(user.userId),
    clock.time(user.lastSeenMs),
    lasting(atMs - user.lastSeenMs),
    clock.time(user.sinceMs),
    count(user.devices),
    user.states.join(", ") || "connected",
    printable(user.clientTypes.join(", ")),
  ]);
  const more = users - online.length;
  const head = `${clock.full(atMs)} (${zone}): ${countOf(users, "user")} online under ${metric}@${version}`;
  return [
    `${paint.bold(head)}, in ${countOf(sessions, "session")} on ${countOf(devices, "device")}\n`,
    ...martText(mart, users, paint),
    ...notes.map((note) => `Note: ${printable(note)}.\n`),
    ...(rows.length > 0 ? ["\n", table(COLUMNS, rows, paint)] : []),
    ...(more > 0 ? [`… ${countOf(more, "more user")}, seen longer ago: see --limit, or --json\n`] : []),
  ].join("");
}

function martText(mart: OnlineInMart, users: number, paint: Paint): string[] {
  switch (mart.kind) {
    case "not-asked":
      return [];
    case "not-built":
      return ["The mart does not have this day of this definition.\n"];
    case "users":
      if (mart.equal) return [`The mart says the same (run ${mart.runId}).\n`];
      return [
        paint.red(`The mart has ${countOf(mart.users, "user")}${mart.users === users ? ", but others" : ""}`),
        ` (run ${mart.runId}): it was built from other files, see presence-batch status.\n`,
      ];
  }
}
