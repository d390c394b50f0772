import type { Definition } from "../definitions/definition.ts";
import { definitionId } from "../definitions/resolve.ts";
import { DuckDbSession } from "../engine/duckdb/session.ts";
import { runChecks } from "../pipeline/checks.ts";
import { createPublishedRelations } from "../pipeline/published-relations.ts";
import { martFiles } from "../pipeline/write-mart.ts";
import { dayWindow } from "../plan/days.ts";
import type { LakeSettings } from "../plan/settings.ts";
import { type Commit, EVENTS } from "../publish/commit.ts";
import { readJson } from "../publish/json-object.ts";
import { commitKey, manifestKey } from "../publish/keys.ts";
import { asOneFile } from "../publish/run-table.ts";
import { type Finding, finding } from "../publish/verify-files.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { RunManifest } from "./day-manifest.ts";
import { joinFiles } from "./join-files.ts";

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

export interface DataVerification {
  readonly store: ObjectStore;
  readonly zone: string;
  readonly settings: LakeSettings;
  /** Of the mart. */
  readonly definitions: readonly Definition[];
  /** Private. */
  readonly folder: string;
  readonly threads: number | null;
  readonly memoryLimitBytes: number | null;
}

/**
 * Runs the checks C1–C8 over a date's published tables. Parts of different inputs are checked apart: what one counted says nothing
 * of what another may count.
 */
export async function verifyData(head: Commit, context: DataVerification): Promise<Finding[]> {
  const findings: Finding[] = [];
  const groups = new Map<string, string[]>();
  for (const [name, { inputs }] of Object.entries(head.parts))
    groups.set(inputs, [...(groups.get(inputs) ?? []), name]);
  for (const names of groups.values()) {
    const definitions = context.definitions.filter((definition) => names.includes(definitionId(definition)));
    findings.push(...(await verifyGroup(head, definitions, names.includes(EVENTS), context)));
  }
  return findings;
}

async function verifyGroup(
  head: Commit,
  definitions: readonly Definition[],
  withEvents: boolean,
  { store, zone, settings, folder, threads, memoryLimitBytes }: DataVerification,
): Promise<Finding[]> {
  const { date } = head;
  const local = new Map<string, string>();
  const published = Object.values(head.parts).flatMap(({ files }) => files.map(({ path }) => path));
  for (const { path, metricNo } of martFiles(date, definitions)) {
    const keys = published.filter((key) => folderOf(key) === folderOf(path)).sort();
    if (metricNo !== null || withEvents) local.set(path, await asOneFile(store, keys, folder, joinFiles));
  }
  const manifest = withEvents ? await readJson<RunManifest>(store, manifestKey(head.parts[EVENTS]!.run)) : null;
  const session = await DuckDbSession.open({ folder, threads, memoryLimitBytes, reads: [...local.values()] });
  try {
    await createPublishedRelations(session, {
      window: dayWindow(zone, date),
      settings,
      definitions,
      events: manifest?.events ?? null,
      localFile: (path) => local.get(path)!,
    });
    const broken = (await runChecks(session)).filter(({ violations }) => violations > 0);
    return broken.map(({ check, says, violations, examples }) => {
      const [example] = examples;
      const such = example ? `, such as ${example.subject}: ${example.problem}` : "";
      return finding(
        date,
        commitKey(date, head.number),
        "check failed",
        `${check} (${says}): ${violations} violations${such}`,
      );
    });
  } catch (error) {
    const message = error instanceof Error ? error.message.split("\n", 1)[0]! : String(error);
    return [finding(date, commitKey(date, head.number), "check failed", `the tables cannot be read: ${message}`)];
  } finally {
    await session.close();
  }
}
