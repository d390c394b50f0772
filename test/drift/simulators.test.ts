import { testLayers } from "./layers.ts";

/** The others take minutes: npm run test:all. */
testLayers(["fixed-time-per-heartbeat", "gaps-uncapped"]);
