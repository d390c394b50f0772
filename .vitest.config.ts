import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** `npm run test:all` sets it: suites that take minutes, `*.slow.test.ts`, run too. */
const all = process.env.PRESENCE_TESTS === "all";

/** Small files that take long: begun last, they would leave one processor idle. */
const LONG = /\.slow\.test\.ts$|\/test\/property\/|\/random-users\.test\.ts$|\/faults\/memory\.test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [
      ...sorted.filter((file) => LONG.test(file.moduleId)),
      ...sorted.filter((file) => !LONG.test(file.moduleId)),
    ];
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/s3-server/**", "test/spark/**", ...(all ? [] : ["test/**/*.slow.test.ts"])],
    globalSetup: "test/support/compiled-setup.ts",
    sequence: { sequencer: LongFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
