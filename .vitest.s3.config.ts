import { defineConfig } from "vitest/config";

/** Tests against a real S3 server, which has to be installed: see .ci/run. */
export default defineConfig({
  test: {
    include: ["test/s3-server/**/*.test.ts"],
    globalSetup: ["test/support/compiled-setup.ts", "test/s3-server/global-setup.ts"],
    testTimeout: 400_000,
    hookTimeout: 60_000,
    pool: "forks",
  },
});
