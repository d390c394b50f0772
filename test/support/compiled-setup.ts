import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** A folder for the program that the test files of this run share; the first that needs it compiles it. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "compiled-"));
  process.env.PRESENCE_COMPILED = folder;
  const forget = (): void => rmSync(join(folder, "program"), { recursive: true, force: true });
  // The sources are others by then.
  project.onTestsRerun(async () => forget());
  return () => rmSync(folder, { recursive: true, force: true });
}
