/** Instants as the clocks of the business zone show them, to the millisecond. */
export interface ZoneClock {
  /** `07-29 23:58:00.000`, with the offset where the zone's changes within the window. */
  time(ms: number): string;
  /** `2026-07-29 23:58:00.000 +08:00`. */
  full(ms: number): string;
}

/** `window`: what will be shown, to find out whether an instant needs its offset to be told from another one. */
export function zoneClock(zone: string, window: { readonly startMs: number; readonly endMs: number }): ZoneClock {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  });
  const parts = (ms: number) => {
    const found = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value])) as Parts;
    const offset = found.timeZoneName === "GMT" ? "+00:00" : found.timeZoneName.slice("GMT".length);
    const fraction = String(((ms % 1000) + 1000) % 1000).padStart(3, "0");
    return { ...found, offset, clock: `${found.hour}:${found.minute}:${found.second}.${fraction}` };
  };
  const changes = parts(window.startMs).offset !== parts(window.endMs).offset;
  return {
    time(ms) {
      const { month, day, clock, offset } = parts(ms);
      return `${month}-${day} ${clock}${changes ? offset : ""}`;
    },
    full(ms) {
      const { year, month, day, clock, offset } = parts(ms);
      return `${year}-${month}-${day} ${clock} ${offset}`;
    },
  };
}

type Parts = Record<"year" | "month" | "day" | "hour" | "minute" | "second" | "timeZoneName", string>;

/** `31m 04.250s`, `2h 00m 00.000s`, `30.000s`: exact, and as long as people need it. */
export function lasting(ms: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  const whole = Math.floor(ms / 1_000) % 60;
  const fraction = String(ms % 1_000).padStart(3, "0");
  if (hours > 0) return `${hours}h ${two(minutes)}m ${two(whole)}.${fraction}s`;
  if (minutes > 0) return `${minutes}m ${two(whole)}.${fraction}s`;
  return `${whole}.${fraction}s`;
}
