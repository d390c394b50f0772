import { testInstants } from "./instants.ts";

// instants.slow.test.ts has many more.
testInstants(Array.from({ length: 12 }, (_, i) => i + 40));
