/** Faults that are thrown into the rows of a lake. */
import fc from "fast-check";
import type { RawValues } from "../oracle/types.ts";
import { type Frame, HOUR, pick } from "./choices.ts";
import { type Draft, SESSIONS, USERS } from "./story.ts";

const KINDS = [
  "duplicate",
  "duplicateLater",
  "duplicateElsewhere",
  "duplicateOtherFlags",
  "duplicateSequence",
  "swapTimes",
  "missing",
  "invalid",
  "badOptional",
  "unknownType",
  "otherHour",
  "slackEdge",
  "farAway",
  "lostClose",
  "edge",
  "sameTime",
  "majority",
] as const;
type Kind = (typeof KINDS)[number];

export const mutationOf = fc.record({
  kind: pick<Kind>(...KINDS.map((kind) => [1, kind] as const)),
  /** The row that it hits, and another one. */
  at: fc.integer({ min: 0, max: 79 }),
  other: fc.integer({ min: 0, max: 79 }),
  variant: fc.integer({ min: 0, max: 11 }),
});
export type Mutation = typeof mutationOf extends fc.Arbitrary<infer T> ? T : never;

const choose = <T>(options: readonly T[], variant: number): T => options[variant % options.length]!;

const MISSING: readonly Partial<RawValues>[] = [
  { sequence: null },
  { event_id: null },
  { user_id: "" },
  { session_id: null },
  { event_type: "" },
  { server_time: null },
  { server_time: null, user_id: null },
];

const INVALID: readonly Partial<RawValues>[] = [
  { server_time: { unreadable: "yesterday" } },
  { server_time: Date.UTC(2000, 0, 1) - 1 },
  { server_time: Date.UTC(2100, 0, 1) },
  { sequence: -1 },
  { sequence: { unreadable: "1.5" } },
  { sequence: { unreadable: "many" } },
  { session_epoch: -2 },
  { session_epoch: { unreadable: "x" } },
  { sequence: -1, session_epoch: { unreadable: "x" } },
];

const BAD_OPTIONAL: readonly Partial<RawValues>[] = [
  { client_time: { unreadable: "noon" } },
  { client_time: 5e12, last_active_at: -1 },
  { last_active_at: { unreadable: "12:00" } },
  { foreground: { unreadable: "maybe" } },
  { active: { unreadable: "??" } },
  { last_active_at: Date.UTC(2000, 0, 1) - 1 },
];

/** Changes the row in place, or answers further rows. */
function apply(mutation: Mutation, drafts: readonly Draft[], frame: Frame, nextId: () => string): Draft[] {
  const draft = drafts[mutation.at % drafts.length]!;
  const other = drafts[mutation.other % drafts.length]!;
  const { variant } = mutation;
  const set = (values: Partial<RawValues>): Draft[] => {
    draft.values = { ...draft.values, ...values };
    return [];
  };
  const copy = (values: Partial<RawValues>): Draft[] => [
    { ...draft, values: { ...draft.values, ...values }, fileNumber: variant % 3, shuffle: variant % 10 },
  ];
  const { server_time: time, sequence, foreground } = draft.values;
  const ms = typeof time === "number" ? time : draft.happenedAt;
  const { startMs, endMs, settings } = frame;
  switch (mutation.kind) {
    case "duplicate":
      return copy({});
    case "duplicateLater":
      return copy({ server_time: ms + choose([1, -1, 5000, HOUR], variant) });
    case "duplicateElsewhere":
      return copy(
        choose<Partial<RawValues>>(
          [
            { session_id: other.values.session_id, user_id: other.values.user_id },
            { session_id: choose(SESSIONS, variant) },
            { sequence: 5 },
            { event_type: "USER_ACTIVE" },
            { session_epoch: 0 },
            { session_epoch: 3 },
          ],
          variant,
        ),
      );
    case "duplicateOtherFlags":
      return copy(
        choose<Partial<RawValues>>(
          [
            { foreground: foreground !== true },
            { active: true },
            { others: { ...draft.values.others, activity: "delivering" } },
            { others: { activity: draft.values.others.activity ?? null, mood: "b" } },
            { channel: "zz" },
            { client_time: ms - 500 },
            { device_id: "d2" },
          ],
          variant,
        ),
      );
    case "duplicateSequence":
      return copy({ event_id: nextId(), server_time: ms + choose([0, 1, -1, 30_000], variant) });
    case "swapTimes":
      if (other.values.session_id !== draft.values.session_id) return [];
      draft.values = { ...draft.values, server_time: other.values.server_time };
      other.values = { ...other.values, server_time: time };
      return [];
    case "missing":
      return set(choose(MISSING, variant));
    case "invalid":
      return set(choose(INVALID, variant));
    case "badOptional":
      return set(choose(BAD_OPTIONAL, variant));
    case "unknownType":
      return set({ event_type: choose(["SELFIE", "heartbeat", "ORDER_PICKED", "Ünknown"], variant) });
    case "otherHour":
      draft.hour = choose([-1, 1, -2, 5, "earliest", "latest"] as const, variant);
      return [];
    case "slackEdge": {
      const hour = Math.floor(ms / HOUR) * HOUR;
      const slack = settings.partitionSlackMs;
      const edges = [hour - slack, hour - slack - 1, hour + HOUR + slack, hour + HOUR + slack - 1];
      const edge = choose(edges, variant);
      draft.hour = Math.round((hour - Math.floor(edge / HOUR) * HOUR) / HOUR);
      return set({ server_time: edge });
    }
    case "farAway":
      draft.hour = choose([-72, 72, -24 * 365, 24 * 365 * 5], variant);
      return [];
    case "lostClose":
      return copy({
        event_id: nextId(),
        event_type: choose(["SESSION_CLOSE", "LOGOUT"], variant),
        sequence: choose([0, 0, 1, typeof sequence === "number" ? sequence + 1 : 2], variant),
        server_time: ms + choose([0, 1, 5000, -1], variant),
      });
    case "edge": {
      const from = startMs - settings.lookbackMs;
      const to = endMs + settings.lookaheadMs;
      return set({
        server_time: choose([startMs, startMs - 1, endMs, endMs - 1, from, from - 1, to, to - 1], variant),
      });
    }
    case "sameTime":
      return set({ server_time: other.values.server_time });
    case "majority":
      for (const [i, row] of drafts.entries()) {
        if (row.values.session_id !== draft.values.session_id || i % 2 === 0) continue;
        const change = variant % 2 === 0 ? { user_id: choose(USERS, variant) } : { device_id: "d2" };
        row.values = { ...row.values, ...change };
      }
      return [];
  }
}

export function mutate(
  drafts: readonly Draft[],
  mutations: readonly Mutation[],
  frame: Frame,
  nextId: () => string,
): Draft[] {
  const all = drafts.map((draft) => ({ ...draft }));
  for (const mutation of mutations) all.push(...apply(mutation, all, frame, nextId));
  return all;
}
