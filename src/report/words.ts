/** Numbers and times as a page says them: exact where they are counted, short where they are compared. */

/** `1,234,567`. */
export const whole = (value: number): string => value.toLocaleString("en");

/** Hours with as many digits as tell: `1,234`, `12.3`, `0.42`. */
export function hours(ms: number): string {
  const value = ms / 3_600_000;
  const digits = value >= 100 || value === 0 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** `31 min 4 s`, `2 h 5 min`, `12 s`: to the second, from an hour on to the minute. */
export function span(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return joined(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

const joined = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${whole(big)} ${bigUnit}` : `${whole(big)} ${bigUnit} ${small} ${smallUnit}`;

/** A share in percent; what is a few is never 0 %, what is most never all. */
export function percent(share: number): string {
  if (share === 0) return "0 %";
  if (Math.abs(share) < 0.0001) return "<0.01 %";
  if (share < 1 && share > 0.9999) return ">99.99 %";
  return `${(share * 100).toFixed(Math.abs(share) < 0.1 ? 2 : 1)} %`;
}

/** How much more or less than before: `+1.2 %`, `−3.4 %`, `same`. */
export function change(now: number, before: number): string {
  if (now === before) return "same";
  if (before === 0) return "new";
  const share = (now - before) / before;
  return `${share > 0 ? "+" : "−"}${percent(Math.abs(share))}`;
}

/** `foreground@1`. */
export const idOf = ({ metric, version }: { readonly metric: string; readonly version: number }): string =>
  `${metric}@${version}`;
