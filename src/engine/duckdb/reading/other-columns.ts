import { camelCase, EVENT_COLUMNS, snakeCase } from "./event-columns.ts";
import type { FileColumn } from "./file-schema.ts";
import { eventNo, type ReadableFile, scanGroups } from "./scan-groups.ts";
import { sqlName } from "./sql-text.ts";

/** A lake column beside the contract's, and the name under which it is selected. */
export interface OtherColumn {
  readonly name: string;
  readonly as: string;
}

/** Names of the files' columns that are none of the contract's, sorted, each once. */
export function otherColumnNames(files: readonly { readonly columns: readonly FileColumn[] }[]): string[] {
  const known = new Set<string>(EVENT_COLUMNS.flatMap((column) => column.spellings));
  const names = new Set(files.flatMap((file) => file.columns.map((column) => column.name)));
  return [...names].filter((name) => !known.has(name)).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/**
 * One SELECT of `event_no` and columns as text (R17): VARCHAR, empty text null, null where a file lacks the column. A
 * column is found by its name, or by that name in the other of snake_case and camelCase; one of the contract's (`epoch`)
 * by any of its names.
 */
export function otherColumnsSelect(files: readonly ReadableFile[], columns: readonly OtherColumn[]): string {
  return selectColumns(files, columns, () => "VARCHAR");
}

/**
 * The same for sorting (R7): a column that has one and the same simple type in all files that have it keeps that
 * type, so that numbers sort as numbers; any other is text. `typedBy`: all files, where only some are read.
 */
export function otherColumnsSortSelect(
  files: readonly ReadableFile[],
  columns: readonly OtherColumn[],
  typedBy: readonly ReadableFile[] = files,
): string {
  return selectColumns(files, columns, ({ name }) => sortType(name, typedBy));
}

/** The type by which a column sorts (R7), in DuckDB's words. */
export function sortType(name: string, typedBy: readonly ReadableFile[]): string {
  const types = new Set(
    typedBy.flatMap((file) => findColumn(file, name)?.type ?? []).filter((type) => type !== "NULL"),
  );
  const [type] = types;
  return types.size === 1 && type !== undefined && SIMPLE.test(type) ? type : "VARCHAR";
}

const SIMPLE =
  /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT)|DECIMAL\(\d+,\d+\)|FLOAT|DOUBLE|BOOLEAN|DATE|TIME|TIMESTAMP|TIMESTAMP_NS|TIMESTAMP WITH TIME ZONE|UUID|BLOB)$/;

function selectColumns(
  files: readonly ReadableFile[],
  columns: readonly OtherColumn[],
  typeOf: (column: OtherColumn) => string,
): string {
  const types = columns.map(typeOf);
  if (files.length === 0) {
    const nulls = columns.map(({ as }, index) => `CAST(NULL AS ${types[index]}) AS ${sqlName(as)}`);
    return `SELECT ${["CAST(NULL AS BIGINT) AS event_no", ...nulls].join(", ")}\nWHERE FALSE`;
  }
  const planOf = (file: ReadableFile) =>
    columns.map(({ name }) => {
      const found = findColumn(file, name);
      return found && found.type !== "NULL" ? { name: found.name, type: found.type } : null;
    });
  // As bytes, since unlike the contract's columns these may be any binary, which need not be text.
  const groups = scanGroups(files, planOf, "bytes");
  return groups
    .map(({ plan, files: members, from, column }) => {
      const expressions = columns.map(({ as }, index) => {
        const found = plan[index];
        const value = found ? asType(column(found.name), found.type, types[index]!) : `CAST(NULL AS ${types[index]})`;
        return `${value} AS ${sqlName(as)}`;
      });
      return `SELECT ${[`${eventNo(members)} AS event_no`, ...expressions].join(", ")}\nFROM ${from}`;
    })
    .join("\nUNION ALL\n");
}

function asType(source: string, stored: string, type: string): string {
  if (type !== "VARCHAR") {
    return `CAST(${source} AS ${type})`;
  }
  if (stored === "DOUBLE" || stored === "FLOAT") return numberText(source);
  const text = `CAST(${source} AS VARCHAR)`;
  // The cast of bytes escapes all but ASCII.
  return `nullif(${stored === "BLOB" ? `coalesce(TRY(decode(${source})), ${text})` : text}, '')`;
}

/** As integers are stored where some are null (pandas): 2.0 is the text 2, as in files without a null, and NaN is null. */
function numberText(source: string): string {
  const whole = `TRY_CAST(${source} AS BIGINT)`;
  return `CASE WHEN isnan(${source}) THEN NULL WHEN ${source} = trunc(${source}) AND ${whole} IS NOT NULL THEN CAST(${whole} AS VARCHAR) ELSE CAST(${source} AS VARCHAR) END`;
}

/** The file's column of that name, or of that name in the other spelling. */
export function findColumn(file: Pick<ReadableFile, "columns">, name: string): FileColumn | undefined {
  const known: readonly string[] | undefined = EVENT_COLUMNS.map((column) => column.spellings).find((spellings) =>
    spellings.includes(name),
  );
  for (const spelling of known ?? [name, snakeCase(name), camelCase(name)]) {
    const found = file.columns.find((column) => column.name === spelling);
    if (found) {
      return found;
    }
  }
  return undefined;
}
