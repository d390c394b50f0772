import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
let own: string | undefined;

/** The package as it is installed, compiled from the sources of now: once for all test files of a run. Not to be changed. */
export function compiledProgram(): string {
  const shared = process.env.PRESENCE_COMPILED ?? ownFolder();
  const program = join(shared, "program");
  if (existsSync(program)) return program;
  const folder = mkdtempSync(join(shared, "compiling-"));
  for (const path of ["bin", "package.json"]) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  for (const path of ["node_modules", "src", "sql", "fixtures"]) symlinkSync(join(ROOT, path), join(folder, path));
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  execFileSync(tsc, ["-p", join(ROOT, "tsconfig.json"), "--outDir", join(folder, "dist")]);
  try {
    renameSync(folder, program);
  } catch (error) {
    // Another test file was first.
    if (!existsSync(program)) throw error;
    rmSync(folder, { recursive: true });
  }
  return program;
}

/** Outside of vitest, as in `npm run soak`. */
function ownFolder(): string {
  if (own !== undefined) return own;
  const folder = mkdtempSync(join(tmpdir(), "compiled-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  own = folder;
  return folder;
}
