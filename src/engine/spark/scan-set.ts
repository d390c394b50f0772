import type { ReadableFile } from "../duckdb/reading/scan-groups.ts";
import type { JobScan } from "./job.ts";

/** A column of a file that a scan reads. `type`: in Spark's words; null: as Spark finds it. */
export interface ScanColumn {
  readonly name: string;
  readonly type: string | null;
}

/** One scan of files that are read alike, and the SQL of each of its columns by the name in the files. */
export interface PlannedScan<Plan> {
  readonly plan: Plan;
  readonly files: readonly ReadableFile[];
  readonly scan: JobScan;
  readonly column: (name: string) => string;
}

/** SQL of `event_no` over a scan: file number and row number (from 0) in the file, in one BIGINT. */
export const EVENT_NO = "file_no * 4294967296 + row_index";

/** Groups files by equal plans (compared as JSON), each group and its files in order of fileNo; the scans are `<name>_0` and so on. */
export function plannedScans<Plan>(
  name: string,
  files: readonly ReadableFile[],
  planOf: (file: ReadableFile) => Plan,
  columnsOf: (plan: Plan) => readonly ScanColumn[],
): PlannedScan<Plan>[] {
  const groups = new Map<string, { plan: Plan; files: ReadableFile[] }>();
  for (const file of [...files].sort((a, b) => a.fileNo - b.fileNo)) {
    const plan = planOf(file);
    const key = JSON.stringify(plan);
    const group = groups.get(key) ?? { plan, files: [] };
    group.files.push(file);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ plan, files: members }, index) => {
    // A lake's names are its writers' own: numbered, they cannot meet those of the job.
    const types = new Map(columnsOf(plan).map((column) => [column.name, column.type]));
    const names = [...types.keys()];
    return {
      plan,
      files: members,
      scan: {
        relation: `${name}_${index}`,
        columns: names.map((column, place) => ({ name: column, as: `c${place}`, type: types.get(column) ?? null })),
        files: members.map(({ path, fileNo, hourMs }) => ({ path, fileNo, hourMs })),
      },
      column: (column: string) => `c${names.indexOf(column)}`,
    };
  });
}
