/** No table is forgotten before its last reader has read it, told by the headers of the files rather than by their code. */
import { describe, expect, test } from "vitest";
import { lifetimes } from "../../../src/pipeline/lifetimes.ts";
import { loadSql } from "../../../src/pipeline/sql-files.ts";
import { type Step, stages } from "../../../src/pipeline/stages.ts";
import { MART_TABLES } from "../../../src/pipeline/tables.ts";
import { BUILTIN, define } from "../../oracle/build.ts";
import { readsOf } from "../../support/sql-header.ts";

const ROOTS = [...MART_TABLES.map(({ name }) => name), "event_counts", "owned_verdicts"];

const KINDS = {
  "connected alone": [BUILTIN.connected],
  activity: [BUILTIN.connected, BUILTIN.active],
  "own states": [BUILTIN.liveWatch],
  "the latest device": [BUILTIN.lastSeen],
  "late uploads moved back": [define({ lateUpload: "compensate" })],
  "all of them": [...Object.values(BUILTIN), define({ name: "moved", lateUpload: "compensate" })],
};

const namesOf = (step: Step): readonly string[] => (step.kind === "sql" ? [step.relation] : step.relations);

/** What a step's file says that it reads. */
function sourcesOf(step: Step): string[] {
  if (step.kind === "engine") return [];
  return readsOf(loadSql(step.file));
}

describe.each(Object.entries(KINDS))("%s", (_, definitions) => {
  describe.each(["column", "arrival"] as const)("sequence: %s", (sequence) => {
    const planned = stages({ sequence }, definitions);
    const steps = planned.flatMap((stage) => stage.steps);

    /** Walks the steps and gives what each of them reads through views, with what has been forgotten by then. */
    function walk(roots: readonly string[]): { read: Set<string>; gone: Set<string>; step: Step }[] {
      const { lastReaders } = lifetimes(planned, roots);
      const views = new Map([
        ["events", ["keyed"]],
        ["readings_seen", ["keyed"]],
      ]);
      const through = (name: string): string[] => [name, ...(views.get(name) ?? []).flatMap(through)];
      const gone = new Set<string>();
      const walked = steps.map((step) => {
        if (step.kind === "sql" && step.keep === "view") views.set(step.relation, sourcesOf(step));
        const isRead = step.kind === "sql" && step.keep !== "view";
        const read = new Set(isRead ? sourcesOf(step).flatMap(through) : []);
        const before = new Set(gone);
        for (const name of lastReaders.get(step) ?? []) {
          expect(gone, `${name} is forgotten once`).not.toContain(name);
          gone.add(name);
        }
        return { read, gone: before, step };
      });
      const last: Step = { kind: "engine", task: "read", relations: ["what comes after all steps"] };
      return [...walked, { read: new Set(roots.flatMap(through)), gone, step: last }];
    }

    test.each([
      ["a rebuild's roots", ROOTS],
      ["roots made of views", ["accepted_events", "timed_events", "readings_seen"]],
      ["no roots", []],
    ])("%s: nothing is read once it is forgotten", (_, roots) => {
      for (const { read, gone, step } of walk(roots)) {
        expect(
          [...read].filter((name) => gone.has(name)),
          `read by ${namesOf(step).join(", ")}`,
        ).toEqual([]);
      }
    });

    test("what is forgotten is a table that was made before, and the great ones are among them", () => {
      const made = new Set(["keyed"]);
      const { lastReaders } = lifetimes(planned, ROOTS);
      for (const step of steps) {
        if (step.kind === "sql" && step.keep !== "view") made.add(step.relation);
        for (const name of lastReaders.get(step) ?? []) expect(made).toContain(name);
      }
      const forgotten = [...lastReaders.values()].flat();
      expect(forgotten).toEqual(
        expect.arrayContaining(["keyed", "sequenced_events", "turning_points", "points", "slots", "online_pieces"]),
      );
      expect(forgotten.filter((name) => ROOTS.includes(name))).toEqual([]);
    });
  });
});

test("what nothing reads is forgotten where it is made", () => {
  const planned = stages({ sequence: "column" }, [BUILTIN.connected]);
  const { lastReaders } = lifetimes(planned, []);
  const [own] = [...lastReaders].find(([, names]) => names.includes("minute_online"))!;
  expect(namesOf(own)).toEqual(["minute_online"]);
});
