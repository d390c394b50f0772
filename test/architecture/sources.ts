import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A source file, with its path below its root folder in POSIX form. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

function filesBelow(root: string, ending: string): Source[] {
  const folder = join(ROOT, root);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative(folder, path), text: readFileSync(path, "utf8") }));
}

export const sourceFiles = (): Source[] => filesBelow("src", ".ts");
export const sqlSources = (): Source[] => filesBelow("sql", ".sql");

/** What a file imports, statically or not: files of the project as paths below src/, packages by their names. */
export function importsOf({ path, text }: Source): { files: string[]; packages: string[] } {
  const found = [...text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1]!);
  return {
    files: found.filter((name) => name.startsWith(".")).map((name) => join(dirname(path), name)),
    packages: found.filter((name) => !name.startsWith(".") && !name.startsWith("node:")),
  };
}
