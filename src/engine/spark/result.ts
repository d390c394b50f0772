import type { Row } from "../duckdb/session.ts";
import { JOB_FORMAT } from "./job.ts";

/** What a job's driver has written last of all. */
export interface JobResult {
  readonly job: string;
  /** Folder, below that of the job, with what this attempt has made. */
  readonly attempt: string;
  readonly spark: string;
  /** A row for each file that the gate looked at. */
  readonly values: readonly Row[];
  /** The gate ended the job: nothing was counted. */
  readonly stopped: boolean;
  readonly answers: Readonly<Record<string, readonly Row[]>>;
  readonly steps: readonly { readonly stage: string; readonly step: string; readonly seconds: number }[];
}

/** Reads a result; throws where it is none of this job. */
export function parseResult(text: string, job: string): JobResult {
  const result = JSON.parse(text) as JobResult & { readonly format: number };
  if (result.format !== JOB_FORMAT) {
    throw new Error(`the result's format is ${result.format}, this program's ${JOB_FORMAT}`);
  }
  if (result.job !== job) throw new Error(`it is the result of ${result.job}, not of ${job}`);
  return result;
}
