import { definitionId } from "../definitions/resolve.ts";
import { namedPeriod } from "../plan/periods.ts";
import type { Commit } from "../publish/commit.ts";
import { readJson } from "../publish/json-object.ts";
import { commitKey, manifestKey, runKey } from "../publish/keys.ts";
import { type Finding, finding } from "../publish/verify-files.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type RollUpContext, rollUpAll } from "./rollup-computation.ts";
import type { RollupManifest } from "./rollup-manifest.ts";

/**
 * Takes a rollup's days together once more, from the runs that its manifest names, and compares the files. Where one of these runs
 * is gone (its day was built anew, and gc has removed it), the rollup cannot be made again and is passed over.
 */
export async function verifyRollup(
  store: ObjectStore,
  head: Commit,
  context: Omit<RollUpContext, "period">,
): Promise<Finding[]> {
  const period = namedPeriod(head.date);
  const findings: Finding[] = [];
  for (const [id, part] of Object.entries(head.parts)) {
    const manifest = await readJson<RollupManifest>(store, manifestKey(part.run));
    const definition = manifest?.definitions.find((each) => definitionId(each) === id);
    const days = manifest?.inputs[id]?.days;
    if (!definition || !days || !(await areThere(store, days))) continue;
    const [rolled] = await rollUpAll(store, [{ definition, days }], { ...context, period });
    const [file] = part.files;
    if (rolled?.file?.sha256 === file?.sha256) continue;
    findings.push(
      finding(
        head.date,
        commitKey(head.date, head.number),
        "check failed",
        `${id} is not the sum of its days (${rolled?.file?.rows} users, ${file?.rows} published)`,
      ),
    );
  }
  return findings;
}

async function areThere(store: ObjectStore, days: RollupManifest["inputs"][string]["days"]): Promise<boolean> {
  for (const { run, userDaily, sessionDaily } of days) {
    for (const { path, bytes } of [userDaily, sessionDaily]) {
      if ((await store.stat(runKey(run, path)))?.bytes !== bytes) return false;
    }
  }
  return true;
}
