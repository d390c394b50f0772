import { test } from "vitest";
import { countHeavyUser } from "./one-heavy-user.ts";

// memory.slow.test.ts has 8,000,000.
test("fault 44: 240,000 events, half of them of one user, within 400 MB", async () => {
  await countHeavyUser(240_000, ["connected", "last-seen-60s"]);
}, 300_000);
