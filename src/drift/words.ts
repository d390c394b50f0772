import type { Difference, DriftResult, Gate, Scope, Unit } from "./drift-result.ts";

/** `1,234,567`. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** `1:05:06`, `0:00:30.250`. */
export function clock(ms: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const seconds = Math.floor(ms / 1_000);
  const rest = ms % 1_000 === 0 ? "" : `.${String(ms % 1_000).padStart(3, "0")}`;
  return `${count(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${rest}`;
}

/** An amount as people read it: a clock, or a number of users; `–` where there is none. */
export function amount(value: number | null, unit: Unit): string {
  if (value === null) return "–";
  return unit === "ms" ? clock(value) : count(value);
}

/**
 * An amount for where there is little room and the exact one stands below: `+102:23 h`, cut to minutes from an hour on, to seconds from a
 * minute on.
 */
export function brief(value: number, unit: Unit, withSign = false): string {
  const size = Math.abs(value);
  const unitMs = unit === "users" || size < 60_000 ? 1 : size < 3_600_000 ? 1_000 : 60_000;
  const cut = value - (value % unitMs);
  const text = withSign ? signed(cut, unit) : amount(cut, unit);
  return unitMs === 60_000 ? `${text.slice(0, -3)} h` : text;
}

/** With its sign; 0 has none. */
export function signed(value: number, unit: Unit): string {
  const sign = value > 0 ? "+" : value < 0 ? "−" : "";
  return `${sign}${amount(Math.abs(value), unit)}`;
}

/** A share in percent. A little is never `0%`, and almost all never `100%`. */
export function percent(share: number): string {
  const size = Math.abs(share) * 100;
  if (size > 0 && size < 0.01) return "<0.01%";
  if (size > 99.99 && size < 100) return ">99.99%";
  return `${size < 100 ? size.toFixed(2).replace(/\.?0+$/, "") : count(Math.round(size))}%`;
}

/** With its sign; `–` where there is nothing to take a share of. */
export function signedPercent(share: number | null): string {
  if (share === null) return "–";
  return `${share > 0 ? "+" : share < 0 ? "−" : ""}${percent(share)}`;
}

const SUBJECTS: Readonly<Record<Scope, readonly [one: string, many: string]>> = {
  users: ["user", "users"],
  dimensions: ["value", "values"],
  minutes: ["minute", "minutes"],
  instant: ["user", "users"],
};

/** `3 users`, `1 minute`. */
export const countOf = (value: number, scope: Scope): string =>
  `${count(value)} ${SUBJECTS[scope][value === 1 ? 0 : 1]}`;

export const subjectsOf = (scope: Scope): string => SUBJECTS[scope][1];

/** What a row is about: `u1`, `channel appstore`, `2026-07-29T12:00Z`. */
export function subjectOf({ subject, value }: Pick<Difference, "subject" | "value">, scope: Scope): string {
  if (scope === "minutes") return subject.replace(/:00\.000Z$/, "Z");
  if (scope !== "dimensions" || subject === "total") return subject;
  return `${subject} ${value ?? "(unknown)"}`;
}

/** `drift of users on 2026-07-29, foreground@1`. */
export function titleOf({
  scope,
  day,
  at,
  metric,
  version,
}: Pick<DriftResult, "scope" | "day" | "at" | "metric" | "version">): string {
  return `drift of ${subjectsOf(scope)} ${at === null ? `on ${day}` : `at ${at}`}, ${metric}@${version}`;
}

/** `1.20% of at most 0.5%`. */
export const measured = ({ measured: share, limit }: Gate): string =>
  `${share === null ? "without an offline figure" : percent(share)} of at most ${percent(limit)}`;

/** How the rows of both sides stand to each other, in a line. */
export function countsLine({ scope, compared }: DriftResult): string {
  const { counts } = compared!;
  const parts = [
    `${count(counts.equal)} equal`,
    `${count(counts.over)} over`,
    ...(counts.offlineOnly > 0 ? [`${count(counts.offlineOnly)} offline only`] : []),
    ...(counts.realtimeOnly > 0 ? [`${count(counts.realtimeOnly)} realtime only`] : []),
  ];
  return `${countOf(counts.compared, scope)} compared: ${parts.join(", ")}`;
}

/** What of the realtime file was not compared, a line each. */
export function leftAsideLines({ day, metric, version, realtime: { leftAside } }: DriftResult): string[] {
  const line = (rows: number, what: string) => (rows === 0 ? [] : [`not compared: ${count(rows)} rows ${what}`]);
  return [
    ...line(leftAside.otherDates, `of other dates than ${day}`),
    ...line(leftAside.otherDefinitions, `of other definitions than ${metric}@${version}`),
    ...line(leftAside.otherMinutes, "of minutes outside of the day, or of hours that the lake has not"),
    ...line(leftAside.otherScores, "whose score is too old, or later than the instant"),
  ];
}
