import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../sql/", import.meta.url);

/** The SELECT of a stage, as it stands below sql/ (`file` without `.sql`). */
export function loadSql(file: string): string {
  return readFileSync(new URL(`${file}.sql`, ROOT), "utf8");
}

/** Where sql/ lies, in the repository and in an installed package. */
export const SQL_FOLDER = fileURLToPath(ROOT);
