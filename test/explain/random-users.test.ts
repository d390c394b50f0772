import { test } from "vitest";
import { explainRandomUsers } from "./random-users.ts";

// random-users.slow.test.ts has two hundred of them.
test("ten random users have the numbers of the pipeline", () => explainRandomUsers(10), 300_000);
