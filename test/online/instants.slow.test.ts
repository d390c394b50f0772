import { testInstants } from "./instants.ts";

testInstants(Array.from({ length: 60 }, (_, i) => i + 40));
