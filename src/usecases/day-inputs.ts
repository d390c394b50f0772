import { createHash } from "node:crypto";
import { type ManifestInput, manifestInputs } from "../lake/manifest-inputs.ts";
import { type DayPlan, hourName } from "./day-plan.ts";

/** A file that a day's window reads, as the lake has it now. */
export type ListedInput = Omit<ManifestInput, "rows">;

/** All files that a day reads, the bad ones, too; a link that leads nowhere is no file. */
export function listedInputs(day: DayPlan): ListedInput[] {
  const there = day.files.filter(({ inode }) => inode !== 0n);
  return manifestInputs(there.map((file) => ({ ...file, rows: 0 }))).map(({ rows: _, ...input }) => input);
}

/**
 * SHA-256 over all that the lake gives a day: its files by path, bytes and time of change or ETag, the hours it lacks, and whether it is
 * over. Two runs of one fingerprint read the same.
 */
export function inputsFingerprint(day: DayPlan): string {
  const inputs = listedInputs(day).map((input) => [input.path, input.bytes, versionOf(input)]);
  const content = [inputs, day.missingHours.map(hourName), day.unfinished];
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/** What has happened to a day's inputs since it was built. Paths are relative to the lake. */
export interface InputChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Hours that have come to the day or gone from it without any file. */
  readonly hours: readonly string[];
  readonly nowOver: boolean;
  /** Of the removed ones, those whose rows were counted and that nothing has taken the place of. */
  readonly gone: readonly string[];
}

/** What a run's manifest says of what it read. */
export interface BuiltInputs {
  readonly inputs: readonly ManifestInput[];
  readonly bad_files: readonly ListedInput[];
  readonly missing_hours: readonly string[];
  readonly unfinished: boolean;
}

export function inputChanges(day: DayPlan, built: BuiltInputs): InputChanges {
  const now = new Map(listedInputs(day).map((input) => [input.path, input]));
  const before = new Map([...built.inputs, ...built.bad_files].map((input) => [input.path, input]));
  const added = [...now.keys()].filter((path) => !before.has(path));
  const removed = [...before.keys()].filter((path) => !now.has(path));
  const changed = [...now.values()].filter((input) => {
    const built = before.get(input.path);
    return built !== undefined && (built.bytes !== input.bytes || versionOf(built) !== versionOf(input));
  });
  // Compaction removes files and writes others of the same hour; retention only removes.
  const rewritten = new Set([...added, ...changed.map(({ path }) => path)].map(folderOf));
  const counted = new Set(built.inputs.filter(({ rows }) => rows > 0).map(({ path }) => path));
  const lacking = day.missingHours.map(hourName);
  return {
    added,
    changed: changed.map(({ path }) => path),
    removed,
    hours: [
      ...lacking.filter((hour) => !built.missing_hours.includes(hour)),
      ...built.missing_hours.filter((hour) => !lacking.includes(hour)),
    ],
    nowOver: built.unfinished && !day.unfinished,
    gone: removed.filter((path) => counted.has(path) && !rewritten.has(folderOf(path))),
  };
}

/** The same object put into a bucket again has another time, but the same ETag. */
const versionOf = ({ mtime, etag }: ListedInput): string => etag ?? mtime;

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
