import type { InputTable } from "../engine/engine.ts";
import { inputError } from "../errors.ts";
import type { BadFile } from "../lake/bad-file.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";

/** The bad files as the mart keeps them. */
export function badFilesTable(bad: readonly BadFile[]): InputTable {
  return {
    name: "quarantined_files",
    columns: [
      ["path", "varchar"],
      ["bytes", "bigint"],
      ["reason", "varchar"],
      ["detail", "varchar"],
    ],
    rows: bad.map((file) => [file.relative, file.bytes, file.reason, file.detail]),
  };
}

/** Throws exit 3 where bad files are no part of the bargain. */
export function refuseBadFiles(bad: readonly BadFile[], options: RebuildOptions): void {
  if (bad.length === 0 || options.onBadFile === "quarantine") return;
  const shown = bad.slice(0, 10).map(({ relative, reason, detail }) => `${relative} (${reason}: ${detail})`);
  const more = bad.length > shown.length ? `, … (${bad.length} in all)` : "";
  throw inputError(
    `${bad.length === 1 ? "bad file" : `${bad.length} bad files`} in ${options.lake}: ${shown.join(", ")}${more}`,
    "Mend or remove them, or count without them (incomplete) with --on-bad-file quarantine.",
  );
}
