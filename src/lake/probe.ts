import { type EventReading, eventReading, isProblem } from "../engine/duckdb/reading/event-reading.ts";
import { type FileColumn, fileSchemas, rowCountQuery, schemaQuery } from "../engine/duckdb/reading/file-schema.ts";
import type { LakeSettings } from "../plan/settings.ts";
import { type BadFile, badFile, unreadableFile } from "./bad-file.ts";
import { type FileAccess, LOCAL_FILES } from "./file-access.ts";
import type { LakeFile } from "./lake-file.ts";
import { checkEnds } from "./parquet-ends.ts";
import { checkValues } from "./probe-values.ts";
import type { Probe, ProbedFile, RunSql } from "./probed-file.ts";

export type ProbeSettings = Pick<LakeSettings, "sequence" | "timeUnit">;

/** Files opened at once by this process; DuckDB itself holds a handful, however long the list. */
const OPEN_AT_ONCE = 16;
const BATCH = 500;

/** Finds each file's schema and rows, and which files are bad. Reads footers, and values only where times are no timestamps. */
export async function probeFiles(
  files: readonly LakeFile[],
  settings: ProbeSettings,
  runSql: RunSql,
  access: FileAccess = LOCAL_FILES,
): Promise<Probe> {
  const bad = new Map<string, BadFile>();
  const readable = await probeFooters(files, settings, runSql, bad, access);
  const good = await checkValues(readable, settings.timeUnit, runSql, bad, access);
  return {
    good: good.map((file, fileNo) => ({ ...file, fileNo })),
    bad: files.flatMap((file) => bad.get(file.relative) ?? []),
  };
}

/** The files that are good as far as their footers tell; the others are put to the bad ones. */
export async function probeFooters(
  files: readonly LakeFile[],
  settings: ProbeSettings,
  runSql: RunSql,
  bad: Map<string, BadFile>,
  access: FileAccess,
): Promise<ProbedFile[]> {
  const found = new Map<string, Footer>();
  await access.readEnds(files, async (there) => {
    const sound = await withSoundEnds(there, bad);
    for (let start = 0; start < sound.length; start += BATCH) {
      const read = await footers(sound.slice(start, start + BATCH), runSql, bad);
      for (const { file, footer } of read) found.set(file.relative, footer);
    }
  });
  const readable: ProbedFile[] = [];
  for (const file of files) {
    const footer = found.get(file.relative);
    if (!footer) continue;
    const reading = eventReading(footer.columns, settings.sequence);
    if (isProblem(reading)) {
      bad.set(file.relative, badFile(file, reading.reason, reading.detail));
    } else {
      const zoneless = zonelessColumns(footer, reading);
      readable.push({ ...file, ...footer, fileNo: readable.length, reading, zoneless });
    }
  }
  return readable;
}

async function withSoundEnds(files: readonly LakeFile[], bad: Map<string, BadFile>): Promise<LakeFile[]> {
  const sound: LakeFile[] = [];
  for (let start = 0; start < files.length; start += OPEN_AT_ONCE) {
    const batch = files.slice(start, start + OPEN_AT_ONCE);
    const found = await Promise.all(batch.map(checkEnds));
    for (const [index, file] of batch.entries()) {
      const problem = found[index];
      if (problem) {
        bad.set(file.relative, problem);
      } else {
        sound.push(file);
      }
    }
  }
  return sound;
}

interface Footer {
  readonly rows: number;
  readonly columns: readonly FileColumn[];
}

interface FileWithFooter {
  readonly file: LakeFile;
  readonly footer: Footer;
}

/** One bad footer fails a whole batch, not always with its name: such a batch is read again file by file. */
async function footers(
  batch: readonly LakeFile[],
  runSql: RunSql,
  bad: Map<string, BadFile>,
): Promise<FileWithFooter[]> {
  try {
    return await readFooters(batch, runSql);
  } catch (error) {
    const [only] = batch;
    if (only && batch.length === 1) {
      bad.set(only.relative, unreadableFile(only, error));
      return [];
    }
  }
  const found: FileWithFooter[] = [];
  for (const file of batch) {
    found.push(...(await footers([file], runSql, bad)));
  }
  return found;
}

async function readFooters(batch: readonly LakeFile[], runSql: RunSql): Promise<FileWithFooter[]> {
  const paths = batch.map((file) => file.path);
  const schemas = fileSchemas(await runSql(schemaQuery(paths)));
  const rows = new Map((await runSql(rowCountQuery(paths))).map((row) => [row.file_name, Number(row.num_rows)]));
  return batch.map((file) => {
    const columns = schemas.get(file.path);
    const count = rows.get(file.path);
    if (columns === undefined || count === undefined) {
      throw new Error(`no schema in the footer of ${file.path}`);
    }
    return { file, footer: { rows: count, columns } };
  });
}

function zonelessColumns(footer: Footer, reading: EventReading): string[] {
  return (["server_time", "client_time", "last_active_at"] as const).filter((name) => {
    const found = reading[name];
    const column = footer.columns.find((each) => each.name === found?.source);
    return found?.kind.startsWith("timestamp") && column?.zoned === false;
  });
}
