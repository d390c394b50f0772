import type { EmitResult } from "../usecases/rebuild-result.ts";
import { printable } from "./ansi.ts";
import { countOf } from "./format.ts";

/** What `--emit` has written, and the two commands that make a result of it. */
export function emitReport({ dir, driver, jobs }: EmitResult): string {
  if (jobs.length === 0) return "no day to rebuild\n";
  const listed = jobs.map(({ day, job, files }) => `${day}  ${countOf(files, "file")}  ${job}`);
  const paths = [driver, ...jobs.map(({ job }) => job)].map(quoted).join(" ");
  return [
    ...listed,
    `${countOf(jobs.length, "job")} written to ${dir}; nothing is counted yet. Next:`,
    `  spark-submit ${paths}`,
    `  presence-batch rebuild --collect ${quoted(dir)}`,
  ]
    .map((line) => `${printable(line)}\n`)
    .join("");
}

/** As a shell takes it for one word. */
const quoted = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
