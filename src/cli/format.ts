/** Numbers as people read them. Nothing is rounded to a value that says something else: a few are never `0`, most never all. */

/** `1,234,567`. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 day`, `3 days`. */
export function countOf(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Exact times as `1,234:05:06.789`; the milliseconds are left out where no time of the column has any. */
export function clocks(column: readonly number[]): string[] {
  const whole = column.every((ms) => ms % 1_000 === 0);
  return column.map((ms) => clock(ms, !whole));
}

function clock(ms: number, withMs: boolean): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const seconds = Math.floor(ms / 1_000);
  const text = `${count(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return withMs ? `${text}.${String(ms % 1_000).padStart(3, "0")}` : text;
}

/** A share in percent: `0.97%`, `<0.01%`, `>99.99%`; none where there is no whole. */
export function share(part: number, whole: number): string {
  if (whole === 0) return "–";
  if (part === 0) return "0%";
  if (part === whole) return "100%";
  const percent = (part / whole) * 100;
  if (percent < 0.01) return "<0.01%";
  if (percent > 99.99) return ">99.99%";
  return `${percent.toFixed(2)}%`;
}

const BYTE_UNITS = ["kB", "MB", "GB", "TB", "PB"];

/** `512 B`, `12.3 MB`. */
export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  let unit = 0;
  let scaled = value / 1_000;
  while (scaled >= 999.95 && unit < BYTE_UNITS.length - 1) {
    scaled /= 1_000;
    unit++;
  }
  return `${scaled.toFixed(1)} ${BYTE_UNITS[unit]}`;
}

/** `12.3`; what took less than 0.05 s is not `0.0`. */
export function seconds(value: number): string {
  return value > 0 && value < 0.05 ? "<0.1" : value.toFixed(1);
}

/** Dates in order as a phrase that stays short however many they are. */
export function dayList(days: readonly string[]): string {
  if (days.length <= 3) return days.join(", ");
  return `${count(days.length)} days from ${days[0]} to ${days.at(-1)}`;
}
