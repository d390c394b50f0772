import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GRACE_MS, stopOnSignals } from "../../src/cli/signals.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function listening() {
  const process = new EventEmitter();
  const exits: string[] = [];
  const signal = stopOnSignals(process, (stop) => exits.push(`${stop.signal} ${stop.exitCode}`));
  return { process, exits, signal };
}

test("the first signal asks the run to stop, and waits less than a second for it", () => {
  const { process, exits, signal } = listening();
  expect(signal.aborted).toBe(false);
  process.emit("SIGTERM");
  expect(signal.reason).toMatchObject({ signal: "SIGTERM", exitCode: 143 });
  vi.advanceTimersByTime(GRACE_MS - 1);
  expect(exits).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(exits).toEqual(["SIGTERM 143"]);
  expect(GRACE_MS).toBeLessThan(1_000);
});

test("a second one does not wait", () => {
  const { process, exits, signal } = listening();
  process.emit("SIGTERM");
  process.emit("SIGINT");
  expect(exits).toEqual(["SIGINT 130"]);
  expect(signal.reason).toMatchObject({ signal: "SIGTERM" });
});
