import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** `npm run test:slow` sets it: suites that take minutes or need a server, `*.slow.test.ts`, and no others. */
const slow = process.env.PRESENCE_TESTS === "slow";

/** Small files that take long: begun last, they would leave one processor idle. */
const LONG =
  /\/faults\/memory\.slow\.test\.ts$|\/random-users\.slow\.test\.ts$|\/test\/property\/|\/faults\/days\.test\.ts$/;

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
    include: [slow ? "test/**/*.slow.test.ts" : "test/**/*.test.ts"],
    exclude: ["test/s3-server/**", "test/spark/**", ...(slow ? [] : ["test/**/*.slow.test.ts"])],
    globalSetup: "test/support/compiled-setup.ts",
    sequence: { sequencer: LongFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
