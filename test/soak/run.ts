/** `npm run soak`: the long versions of what `npm test` tries briefly. Prints figures; exit 1 where one is wrong. See `--help`. */
import { parseArgs } from "node:util";
import { buildProgram } from "../cli/built-program.ts";
import { concurrentRounds } from "./concurrent-rounds.ts";
import { killRounds } from "./kill-rounds.ts";
import { isOldOrNew, readerRounds } from "./reader-rounds.ts";
import { sparkRounds } from "./spark-rounds.ts";

const HELP = `npm run soak -- [--rounds 50] [--seed 1] [--only kill|processes|reader|spark] [--users 2000]

kill       a rebuild is ended by kill -9 at a random moment, --rounds times: the day stays whole, and the next run cleans up
processes  several rebuilds of one mart at once, --rounds times: no commit is lost
reader     a reader looks on while days are rebuilt, four times --rounds
spark      a sample lake of --users is rebuilt by a Spark cluster of two workers, undisturbed and then with one worker killed as a
           stage begins, early, in the middle and late: the rows stay DuckDB's. Needs what .ci/spark installs
`;
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    users: { type: "string", default: "2000" },
    help: { type: "boolean", default: false },
  },
});
const PARTS = ["kill", "processes", "reader", "spark"] as const;
type Part = (typeof PARTS)[number];
const isKnown = values.only === undefined || PARTS.some((part) => part === values.only);
if (values.help || !isKnown) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
const program = buildProgram();
let wrong = false;

async function part(name: Part, run: () => Promise<{ isRight: boolean; figures: object }>): Promise<void> {
  if (values.only !== undefined && values.only !== name) return;
  const started = performance.now();
  const { isRight, figures } = await run();
  wrong ||= !isRight;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${name} (${seconds} s): ${isRight ? "right" : "WRONG"}\n${JSON.stringify(figures, null, 2)}`);
}

try {
  await part("kill", async () => {
    const figures = await killRounds(program.folder, rounds, seed);
    return { figures, isRight: figures.torn.length + figures.failures.length === 0 };
  });
  await part("processes", async () => {
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
  await part("spark", async () => {
    const figures = await sparkRounds(Number(values.users), ["identity", "points", "day"]);
    return { figures, isRight: figures.wrong.length === 0 };
  });
} finally {
  program.remove();
}
process.exitCode = wrong ? 1 : 0;
