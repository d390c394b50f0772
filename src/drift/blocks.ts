/** What a comparison has to tell, whatever it is then written as: terminal, Markdown or HTML. Texts are raw: ids may hold anything. */
export interface Block {
  readonly title: string | null;
  readonly table: BlockTable | null;
  readonly lines: readonly string[];
}

export interface BlockTable {
  readonly columns: readonly { readonly title: string; readonly kind: "text" | "number" | "id" | "prose" }[];
  readonly rows: readonly (readonly string[])[];
}

export const textColumn = (title: string) => ({ title, kind: "text" }) as const;
export const idColumn = (title: string) => ({ title, kind: "id" }) as const;
export const proseColumn = (title: string) => ({ title, kind: "prose" }) as const;
export const numberColumn = (title: string) => ({ title, kind: "number" }) as const;

/** A table, with lines below it; nothing where there is no row and no line. */
export function tableBlock(
  title: string | null,
  columns: BlockTable["columns"],
  rows: BlockTable["rows"],
  lines: readonly string[] = [],
): Block[] {
  if (rows.length === 0 && lines.length === 0) return [];
  return [{ title, table: rows.length === 0 ? null : { columns, rows }, lines }];
}

export const linesBlock = (title: string | null, lines: readonly string[]): Block[] =>
  lines.length === 0 ? [] : [{ title, table: null, lines }];
