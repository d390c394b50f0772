import { randomBytes } from "node:crypto";

/** A run's name: sorts by its clock reading, and never repeats. `20260729T020304Z-1f3a9c`. */
export function newRunId(nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}
