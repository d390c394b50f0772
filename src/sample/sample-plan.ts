import { addDays, dayWindow, utcHours } from "../plan/days.ts";

const HOUR = 3_600_000;

/** How many users are generated at once. Part of the result: each chunk writes one file an hour. */
const USERS_PER_CHUNK = 8_000;

/** What a sample lake is to hold. */
export interface SampleRequest {
  readonly users: number;
  readonly days: number;
  /** The first business day. */
  readonly from: string;
  readonly seed: number;
  readonly zone: string;
}

/** A business day on which sessions start. */
export interface SampleDay {
  readonly day: string;
  /** Days since 1970-01-01: what draws depend on, so that a day looks the same in a longer sample. */
  readonly dayNo: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly weekend: boolean;
  /** Whether the sample was asked for this day: the others only lend it sessions that cross midnight. */
  readonly asked: boolean;
}

export interface UserChunk {
  readonly index: number;
  readonly firstUser: number;
  readonly lastUser: number;
}

export interface SamplePlan {
  readonly days: readonly SampleDay[];
  readonly chunks: readonly UserChunk[];
  /** Sessions are there for their part in `[startMs, endMs)`, and whole where they reach into it. */
  readonly startMs: number;
  readonly endMs: number;
  /** Starts of the UTC hours that are complete, ascending. */
  readonly hours: readonly number[];
}

/**
 * The asked days, one before, whose sessions may reach past midnight, and the first hour of the one after, in which late
 * events of the last day arrive.
 */
export function planSample(request: SampleRequest): SamplePlan {
  const days = Array.from({ length: request.days + 2 }, (_, i) => sampleDay(request, i - 1));
  const asked = days.filter((day) => day.asked);
  const startMs = asked[0]!.startMs;
  const hours = utcHours(startMs, asked.at(-1)!.endMs + HOUR);
  return { days, chunks: chunksOf(request.users), startMs, endMs: hours.at(-1)! + HOUR, hours };
}

function sampleDay({ from, days, zone }: SampleRequest, index: number): SampleDay {
  const day = addDays(from, index);
  const midnightUtc = Date.parse(`${day}T00:00:00Z`);
  const { startMs, endMs } = dayWindow(zone, day);
  const weekend = [0, 6].includes(new Date(midnightUtc).getUTCDay());
  return { day, dayNo: midnightUtc / (24 * HOUR), startMs, endMs, weekend, asked: index >= 0 && index < days };
}

function chunksOf(users: number): UserChunk[] {
  return Array.from({ length: Math.ceil(users / USERS_PER_CHUNK) }, (_, index) => ({
    index,
    firstUser: index * USERS_PER_CHUNK + 1,
    lastUser: Math.min(users, (index + 1) * USERS_PER_CHUNK),
  }));
}
