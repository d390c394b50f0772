import { count, percent } from "../drift/words.ts";
import type { DiffResult, DiffSide } from "./diff-result.ts";

/** `diff of 2026-07-28 to 2026-07-29: foreground@1 to foreground@2`. */
export function titleOf({ days, base, head }: Pick<DiffResult, "days" | "base" | "head">): string {
  const when = days.length === 1 ? days[0] : `${days[0]} to ${days.at(-1)}`;
  return `diff of ${when}: ${sideName(base)} to ${sideName(head)}`;
}

/** `foreground@1`, with the commit where it is not the last one. */
export const sideName = ({ metric, version, commit }: DiffSide): string =>
  `${metric}@${version}${commit === null ? "" : `, commit ${commit}`}`;

/** Where a side's results are from. */
export const sideSource = ({ mart, counted }: DiffSide): string => (counted ? `counted from ${mart}` : mart);

/** The rows of the table of totals: what, and how its amounts are said. */
export const TOTALS = [
  ["online h:mm:ss", "onlineMs", "ms"],
  ["session h:mm:ss", "sessionMs", "ms"],
  ["sessions", "sessions", "users"],
  ["users", "users", "users"],
  ["user days", "userDays", "users"],
] as const;

/** `255 users: 175 unchanged, 60 grown (3 appeared), 20 shrunk (1 vanished)`, with shares of all. */
export function usersLine({ users }: DiffResult): string {
  const { compared, unchanged, grown, shrunk, appeared, vanished } = users;
  const of = (part: number) => (compared === 0 ? "" : ` (${percent(part / compared)})`);
  const among = (part: number, what: string) => (part === 0 ? "" : `, ${count(part)} of them ${what}`);
  return [
    `${count(compared)} ${compared === 1 ? "user" : "users"}: ${count(unchanged)} unchanged${of(unchanged)}`,
    `${count(grown)} grown${of(grown)}${among(appeared, "new")}`,
    `${count(shrunk)} shrunk${of(shrunk)}${among(vanished, "gone")}`,
  ].join("; ");
}
