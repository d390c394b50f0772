import type { ObjectStore } from "../../src/storage/object-store.ts";
import { type Fault, Killed } from "./faulty-files.ts";

const CHANGES = ["put", "putFile", "createExclusive", "copy", "delete", "deleteAll", "removeLeftover"];

/** Any store of which the n-th changing call fails, and all calls after it if the process dies. */
export function faultyStore(store: ObjectStore, at: number, fault: Exclude<Fault, "half">) {
  let calls = 0;
  let dead = false;
  const faulty = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        const call = () => (value as (...given: unknown[]) => Promise<unknown>).apply(target, args);
        if (dead) throw new Killed("killed");
        if (!CHANGES.includes(String(name)) || ++calls !== at) return call();
        dead = fault !== "fail";
        if (fault === "die-after") await call();
        throw dead ? new Killed("killed") : Object.assign(new Error("EIO: injected"), { code: "EIO" });
      };
    },
  });
  return { store: faulty, calls: () => calls };
}
