import { testLayers } from "./layers.ts";

testLayers([
  ...["fixed-time-per-heartbeat", "login-to-logout", "devices-summed", "sessions-summed", "client-time-trusted"],
  ...["arrival-order", "stale-epochs-counted", "gaps-uncapped", "utc-day", "duplicates-kept", "states-ignored"],
]);
