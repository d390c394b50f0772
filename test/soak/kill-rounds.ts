import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { leftovers } from "../publish/mart-tools.ts";
import { type Ended, randomOf, rebuildArgs, sleep, startProgram } from "./process.ts";
import { METRICS, TwoLakes } from "./two-lakes.ts";

export interface KillFigures {
  rounds: number;
  killed: number;
  /** The process had ended before the moment came. */
  tooLate: number;
  killedAfterMark: number;
  halfPublished: number;
  committedBeforeKill: number;
  torn: string[];
  failures: string[];
}

/**
 * Kills a real rebuild at random moments, of any time, from when it begins to publish, or from its commit, and then runs it again.
 * Each published file has to be the old one or the new one, and the next run has to leave exactly the new mart.
 */
export async function killRounds(folder: string, rounds: number, seed: number): Promise<KillFigures> {
  const random = randomOf(seed);
  const lakes = await TwoLakes.make();
  const figures: KillFigures = {
    rounds,
    killed: 0,
    tooLate: 0,
    killedAfterMark: 0,
    halfPublished: 0,
    committedBeforeKill: 0,
    torn: [],
    failures: [],
  };
  const fail = (round: number, what: string) => figures.failures.push(`round ${round}: ${what}`);
  try {
    let usualMs = 1_500;
    for (let round = 0; round < rounds; round++) {
      await lakes.switchTo(lakes.other());
      const commits = lakes.commits().length;
      const { child, ended } = startProgram(folder, rebuildArgs(lakes, METRICS));
      const when = (["any", "publishing", "committed"] as const)[round % 3]!;
      if (when === "publishing") await untilTrue(ended, () => marks(lakes));
      if (when === "committed") await untilTrue(ended, () => lakes.commits().length > commits);
      await sleep(random() * { any: usualMs, publishing: 60, committed: 12 }[when]);
      child.kill("SIGKILL");
      const killed = await ended;
      if (killed.signal === "SIGKILL") figures.killed++;
      else figures.tooLate++;
      if (killed.signal === "SIGKILL" && marks(lakes)) figures.killedAfterMark++;
      if (lakes.commits().length > commits && killed.signal === "SIGKILL") figures.committedBeforeKill++;
      if (lakes.commits().length > commits && !lakes.isCurrent()) figures.halfPublished++;
      figures.torn.push(...lakes.torn());
      const started = performance.now();
      const again = await startProgram(folder, rebuildArgs(lakes, METRICS)).ended;
      usualMs = performance.now() - started;
      if (again.code !== 0) fail(round, `the next run ended with ${again.code}: ${again.stderr.slice(-300)}`);
      if (!lakes.isCurrent()) fail(round, "the next run did not mend the date");
      if (lakes.privateFolders().length > 0) fail(round, `private folders left: ${lakes.privateFolders().join()}`);
    }
    const gc = await startProgram(folder, ["gc", "--out", lakes.out, "--grace", "0", "--temp-dir", lakes.tempDir])
      .ended;
    if (gc.code !== 0) fail(rounds, gc.stderr);
    if (leftovers(lakes.out).length > 0) fail(rounds, `left after gc: ${leftovers(lakes.out).join()}`);
    if (!lakes.isCurrent()) fail(rounds, "gc changed the published files");
    const verify = await startProgram(folder, ["verify", "--out", lakes.out, "--data", "--temp-dir", lakes.tempDir])
      .ended;
    if (verify.code !== 0) fail(rounds, `verify: ${verify.stdout}${verify.stderr}`);
    return figures;
  } finally {
    lakes.remove();
  }
}

function marks(lakes: TwoLakes): boolean {
  const folder = join(lakes.out, "_presence/publishing/date=2024-01-15");
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".json"));
}

async function untilTrue(ended: Promise<Ended>, isTrue: () => boolean): Promise<void> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over && !isTrue()) await sleep(1);
}
