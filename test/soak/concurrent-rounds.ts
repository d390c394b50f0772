import { leftovers } from "../publish/mart-tools.ts";
import { randomOf, rebuildArgs, sleep, startProgram } from "./process.ts";
import { METRICS, TwoLakes } from "./two-lakes.ts";

export interface ConcurrentFigures {
  rounds: number;
  processes: number;
  /** Exit codes and what the processes said they published. */
  outcomes: Record<string, number>;
  commits: number;
  failures: string[];
}

/**
 * Two to four processes at once on one date, on the same and on different definitions; in every third round the lake changes
 * between their starts. All that say they have committed must have, and a last run must find or make the mart of the lake.
 */
export async function concurrentRounds(folder: string, rounds: number, seed: number): Promise<ConcurrentFigures> {
  const random = randomOf(seed);
  const lakes = await TwoLakes.make();
  const figures: ConcurrentFigures = { rounds, processes: 0, outcomes: {}, commits: 0, failures: [] };
  const fail = (round: number, what: string) => figures.failures.push(`round ${round}: ${what}`);
  const claimed = new Map<number, string>();
  try {
    for (let round = 0; round < rounds; round++) {
      await lakes.switchTo(lakes.other());
      const runs = [];
      for (let n = 0; n < 2 + Math.floor(random() * 3); n++) {
        if (n > 0 && round % 3 === 2) {
          await sleep(random() * 800);
          await lakes.switchTo(lakes.other());
        }
        const metrics = METRICS.filter(() => random() < 0.6);
        runs.push(startProgram(folder, rebuildArgs(lakes, metrics.length > 0 ? metrics : METRICS)).ended);
      }
      for (const { code, stdout, stderr } of await Promise.all(runs)) {
        figures.processes++;
        const day = code === 0 ? JSON.parse(stdout).days[0] : null;
        // A file may change under a process that reads it (3): the lake does so in every third round.
        const explained = code === 0 || code === 5 || (code === 3 && round % 3 === 2);
        if (!explained) fail(round, `exit code ${code}: ${stderr.slice(-300)}`);
        const outcome = code === 0 ? `0 ${day.published}` : String(code);
        figures.outcomes[outcome] = (figures.outcomes[outcome] ?? 0) + 1;
        if (day?.commit == null) continue;
        if (claimed.has(day.commit)) fail(round, `two runs claim commit ${day.commit}`);
        claimed.set(day.commit, day.runId);
      }
      const last = await startProgram(folder, rebuildArgs(lakes, METRICS)).ended;
      if (last.code !== 0) fail(round, `the last run ended with ${last.code}: ${last.stderr.slice(-300)}`);
      else if (JSON.parse(last.stdout).days[0].commit) {
        const { commit, runId } = JSON.parse(last.stdout).days[0];
        claimed.set(commit, runId);
      }
      if (!lakes.isCurrent()) fail(round, "the mart is not that of the lake");
      checkCommits(lakes, claimed, (what) => fail(round, what));
    }
    figures.commits = lakes.commits().length;
    const left = leftovers(lakes.out);
    if (left.length > 0) fail(rounds, `left over: ${left.slice(0, 5).join()}`);
    const verify = await startProgram(folder, ["verify", "--out", lakes.out, "--data", "--temp-dir", lakes.tempDir])
      .ended;
    if (verify.code !== 0) fail(rounds, `verify: ${verify.stdout}${verify.stderr}`);
    return figures;
  } finally {
    lakes.remove();
  }
}

/** Numbers without gaps, each claimed commit made by its run, and no part that was lost on the way. */
function checkCommits(lakes: TwoLakes, claimed: ReadonlyMap<number, string>, fail: (what: string) => void): void {
  let before: Record<string, { run: string }> = {};
  for (const [index, { number, by, parts }] of lakes.commits().entries()) {
    if (number !== index + 1) fail(`commit ${number} follows commit ${index}`);
    if (number > 1 && claimed.get(number) !== by) fail(`commit ${number} is by ${by}, not ${claimed.get(number)}`);
    for (const [name, part] of Object.entries(parts)) {
      if (part.run !== before[name]?.run && part.run !== by) fail(`commit ${number}: ${name} is of a third run`);
    }
    for (const name of Object.keys(before)) if (!parts[name]) fail(`commit ${number} lost ${name}`);
    before = parts;
  }
}
