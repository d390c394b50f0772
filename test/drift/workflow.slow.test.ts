/** The GitHub Actions example of README: its shell steps, run in order, as the runner does. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../cli/fakes.ts";
import { compiledProgram } from "../support/compiled.ts";
import { tempFolder } from "../support/lake-on-disk.ts";

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Workflow {
  readonly jobs: {
    readonly drift: { readonly env: Readonly<Record<string, string>>; readonly steps: readonly Step[] };
  };
}

function workflow(): Workflow["jobs"]["drift"] {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const fences = [...readme.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1]!);
  const found = fences.filter((text) => /^jobs:$/m.test(text));
  expect(found).toHaveLength(1);
  return (parse(found[0]!) as Workflow).jobs.drift;
}

/** Runs the steps; after one that failed only those that always run. What is installed is the compiled program. */
function runSteps(env: Readonly<Record<string, string>>): {
  failed: string[];
  summary: string;
  comment: string;
  folder: string;
} {
  const { env: own, steps } = workflow();
  const folder = tempFolder();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  cpSync(join(ROOT, "fixtures/lesson"), join(folder, "fixtures/lesson"), { recursive: true });
  const program = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program("presence-batch", `exec '${process.execPath}' '${join(compiledProgram(), "bin/presence-batch.js")}' "$@"`);
  program("gh", `[ "$1 $2 $3 $4" = "pr comment 7 --body-file" ] && cp "$5" commented.md`);
  const summary = join(folder, "summary.md");
  const failed: string[] = [];
  for (const step of steps.filter(({ run, name }) => run !== undefined && name !== "Install")) {
    if (failed.length > 0 && !step.if?.startsWith("always()")) continue;
    const script = join(folder, "step.sh");
    writeFileSync(script, step.run!);
    const { status } = spawnSync("bash", ["-e", script], {
      cwd: folder,
      env: {
        ...{ HOME: folder, PATH: `${bin}:${process.env.PATH}`, GITHUB_STEP_SUMMARY: summary, PULL_REQUEST: "7" },
        ...own,
        ...env,
      },
      encoding: "utf8",
    });
    if (status !== 0) failed.push(`${step.name} ${status}`);
  }
  return {
    failed,
    summary: readFileSync(summary, "utf8"),
    comment: readFileSync(join(folder, "commented.md"), "utf8"),
    folder,
  };
}

test("passes where the realtime layer is right, and shows the comparison", () => {
  const { failed, summary, comment, folder } = runSteps({});
  expect(failed).toEqual([]);
  expect(summary).toMatch(/^### ✅ drift of users on 2019-03-15, connected&#64;1: pass$/m);
  expect(summary).toMatch("| h:mm:ss | 2:11:58.611 |");
  expect(comment).toBe(summary);
  expect(readFileSync(join(folder, "drift.xml"), "utf8")).toMatch('tests="3" failures="0" errors="0"');
  expect(readFileSync(join(folder, "drift.html"), "utf8")).toMatch(/^<!DOCTYPE html>\n/);
}, 120_000);

test("fails with 4 where it drifts, and still shows why", () => {
  const wrong = join(tempFolder(), "realtime.csv");
  writeFileSync(wrong, "user_id,online_seconds\nu01,9000\n");
  const { failed, summary, comment } = runSteps({ REALTIME: wrong });
  expect(failed).toEqual(["Compare 4"]);
  expect(summary).toMatch(/^### ❌ drift of users on 2019-03-15, connected&#64;1: fail$/m);
  expect(summary).toMatch(/^\*\*Reasons, from all that differ, 11 users/m);
  expect(comment).toBe(summary);
}, 120_000);
