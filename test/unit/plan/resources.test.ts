import { totalmem } from "node:os";
import { describe, expect, test } from "vitest";
import { cgroupLimit, dayMemoryLimit, defaultMemoryLimit } from "../../../src/plan/resources.ts";

const files =
  (found: Readonly<Record<string, string>>) =>
  (path: string): string | null =>
    found[path] ?? null;

describe("what a cgroup allows", () => {
  test("is nothing in particular without one", () => {
    expect(cgroupLimit(files({}))).toBeNull();
    expect(cgroupLimit(files({ "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "max\n" }))).toBeNull();
  });

  test("is the least of its own limit and those above it", () => {
    const found = {
      "/proc/self/cgroup": "0::/system.slice/presence.service\n",
      "/sys/fs/cgroup/memory.max": "max\n",
      "/sys/fs/cgroup/system.slice/memory.max": "4000000000\n",
      "/sys/fs/cgroup/system.slice/presence.service/memory.max": "8000000000\n",
    };
    expect(cgroupLimit(files(found))).toBe(4_000_000_000);
  });

  test("is read of version 1, too, whose way to say nothing is a number near 2^63", () => {
    const own = { "/proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/docker/a\n" };
    const limit = "/sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes";
    const parent = { "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n" };
    expect(cgroupLimit(files({ ...own, ...parent, [limit]: "2000000000\n" }))).toBe(2_000_000_000);
    expect(cgroupLimit(files({ ...own, ...parent }))).toBeNull();
  });
});

describe("the memory of a day", () => {
  const most = defaultMemoryLimit();

  test("is 60 % of what there is at most", () => {
    expect(most).toBeLessThanOrEqual(totalmem() * 0.6);
    expect(dayMemoryLimit(1e15, 1)).toBe(most);
  });

  test("grows with its files and with threads, from 2 GB on", () => {
    const atMost = (bytes: number) => Math.min(bytes, most);
    expect(dayMemoryLimit(0, 1)).toBe(atMost(2_000_000_000));
    expect(dayMemoryLimit(2_000_000_000, 1)).toBe(atMost(4_400_000_000));
    expect(dayMemoryLimit(0, 8)).toBe(atMost(4_800_000_000));
    expect(dayMemoryLimit(0, null)).toBeGreaterThanOrEqual(atMost(2_000_000_000));
  });
});
