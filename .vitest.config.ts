import { defineConfig } from "vitest/config";

/** `npm run test:all` sets it: suites that take minutes, `*.slow.test.ts`, run too. */
const all = process.env.PRESENCE_TESTS === "all";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: all ? [] : ["test/**/*.slow.test.ts"],
    globalSetup: "test/support/compiled-setup.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
