import { inputError } from "../errors.ts";
import { assertUnchanged } from "../lake/recheck.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { type DayPlan, planDays } from "./day-plan.ts";
import type { LakeEffects } from "./lake-access.ts";

/**
 * After an engine of its own has read the lake where it lies: every file still is the version that was listed, so that no mix of two
 * versions was counted. Throws exit 3 where one is not; files that have come since are a matter of the next run.
 */
export async function assertSameLake(day: DayPlan, options: RebuildOptions, effects: LakeEffects): Promise<void> {
  await assertUnchanged(day.files);
  if (day.files.every(({ etag }) => etag === undefined)) return;
  const days = { kind: "date", date: day.window.day } as const;
  const now = await planDays({ ...options, days }, { ...effects, nowMs: day.readWindow.endMs });
  const etags = new Map(now.days.flatMap(({ files }) => files.map(({ relative, etag }) => [relative, etag])));
  const other = day.files.find(({ relative, etag }) => etags.get(relative) !== etag);
  if (other === undefined) return;
  const what = etags.has(other.relative) ? "changed" : "vanished";
  throw inputError(`${other.relative} ${what} while it was read`, "Run again once the lake's writers are done.");
}
