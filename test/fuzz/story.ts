/** Sessions as clients and servers would write them, with their bad habits. */
import fc from "fast-check";
import type { RawNumber, RawValues, Text } from "../oracle/types.ts";
import { type Anchor, anchorMs, type Frame, HOUR, pick, type Span, spanMs, step } from "./choices.ts";

/** A row before it has a file. */
export interface Draft {
  values: RawValues;
  /** When it happened: the hour of rows without a usable server_time. */
  readonly happenedAt: number;
  hour: HourChoice;
  readonly fileNumber: number;
  readonly shuffle: number;
}

/** Partition: the hour of the server time, the earliest or latest that the slack allows, or that many hours off. */
export type HourChoice = "own" | "earliest" | "latest" | number;

// "ﬀ" and "😀" are in another order by UTF-16 units than by UTF-8 bytes.
export const USERS = ["u1", "42", "9007199254740993", "ﬀ", "😀"];
export const SESSIONS = ["s1", "s2", "s-ﬀ", "s-😀", "7"];
export const DEVICES: readonly Text[] = ["d1", "d2", "ﬀ", null];

// Alike for all but an exact comparison: case, blanks, the two spellings of é, numbers and words of SQL, and what the
// program might itself put together.
const ODD_USERS = ["u1", "u1 ", "U1", "\u00e9", "e\u0301"];
const ODD_SESSIONS = ["s1", "s1 ", "S1", "null", "s1:d1"];
const ODD_DEVICES: readonly Text[] = ["s1", "session:s1", "007", null];

const type = pick(
  [10, "HEARTBEAT"],
  [4, "SESSION_START"],
  [3, "APP_FOREGROUND"],
  [3, "APP_BACKGROUND"],
  [3, "USER_ACTIVE"],
  [3, "USER_IDLE"],
  [2, "SESSION_CLOSE"],
  [1, "LOGOUT"],
  [4, "SERVER_TIMEOUT"],
  [1, "LIVE_ENTER"],
  [1, "LIVE_LEAVE"],
  [1, "ORDER_PICKED"],
);
const flag = pick<boolean | null>([4, null], [2, true], [1, false]);

const stepOf = fc.record({
  delta: step,
  type,
  repeat: pick([6, 0], [1, 1], [1, 3]),
  foreground: flag,
  active: flag,
  lastActive: pick<Span | "future" | "absurd" | null>(
    [8, null],
    [2, "5s"],
    [1, "0"],
    [1, "gap+1"],
    [1, "ahead"],
    [1, "ahead+1"],
    [1, "idle"],
    [1, "future"],
    [1, "absurd"],
  ),
  /** Kept by the client and sent together with the next event that is not kept. */
  held: pick([5, false], [1, true]),
  delay: pick<Span>([12, "0"], [1, "1ms"], [1, "5s"], [1, "late"], [1, "late+1"], [1, "gap+1"], [1, "shift"]),
  delayFromNext: pick([2, false], [1, true]),
  sequence: pick<"next" | "same" | "skip" | "jump" | "back" | "zero">(
    [30, "next"],
    [1, "same"],
    [2, "skip"],
    [1, "jump"],
    [2, "back"],
    [1, "zero"],
  ),
  timeoutSequence: pick<RawNumber>([2, null], [1, 0], [1, 999]),
  epoch: pick<"same" | "up" | "stale">([24, "same"], [2, "up"], [1, "stale"]),
  device: pick<"own" | "none" | "other">([16, "own"], [3, "none"], [1, "other"]),
  foreignUser: pick([30, false], [1, true]),
  clientType: pick<Text>([3, null], [2, "web"], [1, "ios"]),
  channel: pick<Text>([4, null], [1, "vip"], [1, "ﬀ"], [1, "😀"]),
  appVersion: pick<Text>([4, null], [1, "1.10"]),
  region: pick<Text>([4, null], [1, "EU"], [1, ""]),
  activity: pick<Text>([5, null], [1, "delivering"], [1, "pickup"], [1, "rest"], [1, ""]),
  level: pick<Text>([6, null], [1, "1"], [1, "2"]),
  mood: pick<Text>([8, null], [1, "a"], [1, "B"]),
  withoutClock: pick([6, false], [1, true]),
  hour: pick<HourChoice>([16, "own"], [1, "earliest"], [1, "latest"]),
  fileNumber: pick([4, 0], [1, 1], [1, 2]),
  shuffle: fc.integer({ min: 0, max: 9 }),
});
type Step = typeof stepOf extends fc.Arbitrary<infer T> ? T : never;

export const storyOf = fc.record({
  user: pick([12, 0], [5, 1], [1, 2], [1, 3], [1, 4]),
  /** Null for a session of its own. */
  session: pick<number | null>([6, null], [1, 0], [1, 1]),
  device: pick([3, 0], [3, 1], [1, 2], [2, 3]),
  oddIds: pick([4, false], [1, true]),
  anchor: pick<Anchor>([3, "noon"], [6, "start"], [6, "end"], [2, "from"], [2, "to"]),
  before: pick([1, false], [2, true]),
  offset: pick<Span>([2, "0"], [2, "1m"], [1, "1ms"], [1, "gap"], [1, "10m"], [1, "1h"], [1, "ahead"], [1, "tail"]),
  /** How far before the end of the read window its last event is; null where that follows from the steps. */
  lastBeforeEnd: pick<Span | null>([8, null], [1, "gap"], [1, "gap+1"], [1, "5s"]),
  /** Client clock minus server clock; null for clients that tell no time. */
  clock: pick<number | null>([2, null], [2, 0], [1, -HOUR], [1, 30 * 24 * HOUR], [1, 777]),
  firstEpoch: pick<number | null>([6, null], [4, 0], [2, 1], [1, 9_007_199_254_740_000]),
  firstSequence: pick([6, 0], [2, 1], [2, 100], [1, 9_007_199_254_740_000]),
  /** Whether the counter starts anew with every epoch. */
  restarts: fc.boolean(),
  steps: fc.array(stepOf, { minLength: 1, maxLength: 14, size: "max" }),
});
export type Story = typeof storyOf extends fc.Arbitrary<infer T> ? T : never;

const unrolled = (steps: readonly Step[]): Step[] =>
  steps.flatMap((s) => [
    s,
    ...Array.from({ length: s.repeat }, () => ({ ...s, type: "HEARTBEAT", delay: "0" as const })),
  ]);

/** When each step happened, and when the server received it. */
function timesOf(story: Story, steps: readonly Step[], frame: Frame): { happened: number[]; received: number[] } {
  const offset = spanMs(story.offset, frame);
  let t = anchorMs(story.anchor, frame) + (story.before ? -offset : offset);
  const happened = steps.map((s, i) => {
    if (i > 0) t += spanMs(s.delta, frame);
    return t;
  });
  if (story.lastBeforeEnd !== null && story.anchor === "end") {
    happened[steps.length - 1] = anchorMs("to", frame) - spanMs(story.lastBeforeEnd, frame);
  }
  const received = steps.map((s, i) => {
    const sentWith = s.held ? steps.findIndex((other, j) => j > i && !other.held) : i;
    const base = s.delayFromNext ? (happened[i + 1] ?? happened[i]!) : happened[i]!;
    return sentWith > i ? happened[sentWith]! : s.delay === "0" ? happened[i]! : base + spanMs(s.delay, frame);
  });
  return { happened, received };
}

function lastActiveOf(s: Step, clientNow: number, frame: Frame): number | null {
  if (s.lastActive === null) return null;
  if (s.lastActive === "absurd") return s.shuffle % 2 === 0 ? 0 : Date.UTC(2100, 0, 1);
  return s.lastActive === "future" ? clientNow + 5000 : clientNow - spanMs(s.lastActive, frame);
}

/** A session's rows, in the order in which they happened. `nextId` makes the event ids. */
export function draftsOf(story: Story, number: number, frame: Frame, nextId: () => string): Draft[] {
  const steps = unrolled(story.steps);
  const { happened, received } = timesOf(story, steps, frame);
  const own = story.device;
  const [users, sessions, devices] = story.oddIds ? [ODD_USERS, ODD_SESSIONS, ODD_DEVICES] : [USERS, SESSIONS, DEVICES];
  let epoch = story.firstEpoch;
  let counter = story.firstSequence - 1;
  return steps.map((s, i): Draft => {
    if (s.epoch === "up") {
      epoch = (epoch ?? 0) + 1;
      if (story.restarts) counter = story.firstSequence - 1;
    }
    if (s.sequence === "skip") counter += 3;
    else if (s.sequence !== "same") counter += 1;
    const exotic: Partial<Record<Step["sequence"], number>> = { jump: 4_294_967_295, zero: 0 };
    const sequence = exotic[s.sequence] ?? Math.max(0, s.sequence === "back" ? counter - 2 : counter);
    const clientNow = happened[i]! + (story.clock ?? 0);
    return {
      values: {
        event_id: nextId(),
        user_id: users[(story.user + (s.foreignUser ? 1 : 0)) % users.length]!,
        session_id: sessions[story.session ?? number]!,
        event_type: s.type,
        server_time: received[i]!,
        sequence: s.type === "SERVER_TIMEOUT" ? s.timeoutSequence : Math.max(0, sequence),
        session_epoch: s.epoch === "stale" && epoch !== null && epoch > 0 ? epoch - 1 : epoch,
        device_id: s.device === "none" ? null : devices[(own + (s.device === "other" ? 1 : 0)) % devices.length]!,
        client_type: s.clientType,
        channel: s.channel,
        app_version: s.appVersion,
        region: s.region,
        client_time: story.clock === null || s.withoutClock ? null : clientNow,
        last_active_at: lastActiveOf(s, clientNow, frame),
        foreground: s.foreground,
        active: s.active,
        others: { activity: s.activity, level: s.level, mood: s.mood },
      },
      happenedAt: happened[i]!,
      hour: s.hour,
      fileNumber: s.fileNumber,
      shuffle: s.shuffle,
    };
  });
}
