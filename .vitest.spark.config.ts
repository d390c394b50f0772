import { defineConfig } from "vitest/config";

/** Tests against a real Spark, which has to be installed: see .ci/spark. One session at a time uses all processors. */
export default defineConfig({
  test: {
    include: ["test/spark/**/*.test.ts"],
    globalSetup: "test/support/compiled-setup.ts",
    testTimeout: 1_200_000,
    hookTimeout: 3_600_000,
    pool: "forks",
    fileParallelism: false,
  },
});
