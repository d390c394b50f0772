import { test } from "vitest";
import { explainRandomUsers } from "./random-users.ts";

test("two hundred random users have the numbers of the pipeline", () => explainRandomUsers(200), 1_800_000);
