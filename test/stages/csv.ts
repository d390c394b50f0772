/** The cases' own CSV: `name:type` headers, an empty field is NULL, a quoted `""` is empty text. */

export type CaseType = "bigint" | "integer" | "boolean" | "varchar";
const TYPES: readonly string[] = ["bigint", "integer", "boolean", "varchar"];

export interface Column {
  readonly name: string;
  readonly type: CaseType;
}

export interface CsvTable {
  /** What the lines beginning with `#` above the header say. */
  readonly comment: string;
  readonly columns: readonly Column[];
  /** Values as text; null is NULL. */
  readonly rows: readonly (readonly (string | null)[])[];
}

export function parseCsv(text: string, file: string): CsvTable {
  const lines = text.split("\n").filter((line) => line !== "");
  const comments = lines.filter((line) => line.startsWith("#"));
  const [header, ...rest] = lines.slice(comments.length);
  if (header === undefined) throw new Error(`${file}: no header`);
  const columns = header.split(",").map((field) => parseColumn(field, file));
  const rows = rest.map((line) => {
    const fields = splitLine(line);
    if (fields.length !== columns.length) {
      throw new Error(`${file}: ${fields.length} fields instead of ${columns.length} in "${line}"`);
    }
    return fields;
  });
  return { comment: comments.map((line) => line.replace(/^#\s*/, "")).join(" "), columns, rows };
}

function parseColumn(field: string, file: string): Column {
  const [name, type] = field.split(":");
  if (!name || !type || !TYPES.includes(type)) throw new Error(`${file}: "${field}" is no name:type of ${TYPES}`);
  return { name, type: type as CaseType };
}

/** Quoted fields may hold commas and doubled quotes, but no line breaks. */
function splitLine(line: string): (string | null)[] {
  return [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/g)].map(([, quoted, bare]) =>
    quoted !== undefined ? quoted.replaceAll('""', '"') : bare || null,
  );
}
