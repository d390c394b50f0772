import * as value from "../plan/option-values.ts";
import type { Io } from "./io.ts";
import { type Flags, named } from "./mart-options.ts";
import { writeOutput } from "./output-file.ts";

/** How a comparison is written to a file; the page is told by which version. */
export interface ComparisonFiles {
  readonly junit: () => string;
  readonly markdown: () => string;
  readonly html: (madeBy: string) => string;
}

/** Reads the names of the files before any work is done. */
export function comparisonFiles(flags: Flags): (io: Io, files: ComparisonFiles) => Promise<void> {
  const names = (["junit", "markdown", "html"] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [{ name, file: named(name, () => value.text("a file")(flags[name], false)) }],
  );
  return async (io, files) => {
    const madeBy = `presence-batch ${io.version().tool}`;
    for (const { name, file } of names) {
      await writeOutput(io, `--${name}`, file, name === "html" ? files.html(madeBy) : files[name]());
    }
  };
}
