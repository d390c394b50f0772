import { test } from "vitest";
import { countHeavyUser } from "./one-heavy-user.ts";

test("fault 44: 8,000,000 events, half of them of one user, within 400 MB", () => countHeavyUser(8_000_000), 1_800_000);
