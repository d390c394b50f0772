/** `npm run soak [-- rounds]`: the long versions of what `npm test` tries briefly. Prints figures; exit 1 where one is wrong. */
import { buildProgram } from "../cli/built-program.ts";
import { concurrentRounds } from "./concurrent-rounds.ts";
import { killRounds } from "./kill-rounds.ts";
import { isOldOrNew, readerRounds } from "./reader-rounds.ts";
import { sparkRounds } from "./spark-rounds.ts";

const rounds = Number(process.argv[2] ?? 50);
const seed = Number(process.argv[3] ?? 1);
const program = buildProgram();
let wrong = false;

async function part(name: string, run: () => Promise<{ isRight: boolean; figures: object }>): Promise<void> {
  const started = performance.now();
  const { isRight, figures } = await run();
  wrong ||= !isRight;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${name} (${seconds} s): ${isRight ? "right" : "WRONG"}\n${JSON.stringify(figures, null, 2)}`);
}

try {
  await part("kill -9", async () => {
    const figures = await killRounds(program.folder, rounds, seed);
    return { figures, isRight: figures.torn.length + figures.failures.length === 0 };
  });
  await part("processes at once", async () => {
    const figures = await concurrentRounds(program.folder, rounds, seed);
    return { figures, isRight: figures.failures.length === 0 };
  });
  await part("reader", async () => {
    const figures = await readerRounds(rounds * 4);
    return {
      figures,
      isRight:
        figures.reads > 0 && figures.twice + figures.missing + figures.errors.length === 0 && isOldOrNew(figures),
    };
  });
  await part("Spark loses a worker", async () => {
    const figures = await sparkRounds(2_000, ["identity", "points", "day"]);
    return { figures, isRight: figures.wrong.length === 0 };
  });
} finally {
  program.remove();
}
process.exitCode = wrong ? 1 : 0;
