import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Definition } from "../../src/definitions/definition.ts";
import { DayEngine } from "../../src/engine/duckdb/day-engine.ts";
import { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import type { Keep } from "../../src/engine/engine.ts";
import { columnStates, coverageTables, eventTypes, inputTables } from "../../src/pipeline/inputs.ts";
import { runStages } from "../../src/pipeline/run-day.ts";
import { stages } from "../../src/pipeline/stages.ts";
import type { DayWindow } from "../../src/plan/day-window.ts";
import { utcHours } from "../../src/plan/days.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";
import type { RawEvent } from "../oracle/index.ts";
import { memoryReading } from "./memory-reading.ts";

/** Runs all stages over rows in memory and hands the session to `read`. */
export async function withStages<T>(
  input: {
    events: readonly RawEvent[];
    settings: LakeSettings;
    definitions: readonly Definition[];
    window: DayWindow;
    hoursWithData?: readonly number[];
    /** As after a collision of hashes. */
    byText?: boolean;
    /** `all`: of the read window, also those that cannot bear on the day. */
    sessions?: "reaching" | "all";
    /** Changes the SQL of each relation before it is run. */
    rewrite?: (select: string, relation: string) => string;
    /** As where memory is short, all tables. */
    compressed?: boolean;
    /** Forgets tables, as a rebuild does, but for those that these relations need. */
    roots?: readonly string[];
  },
  read: (session: DuckDbSession) => Promise<T>,
): Promise<T> {
  const own = utcHours(input.window.startMs, input.window.endMs);
  const there = input.hoursWithData ?? own;
  const folder = await mkdtemp(join(tmpdir(), "presence-test-"));
  const tablesLimitBytes = input.compressed ? 0 : null;
  const session = await DuckDbSession.open({ folder, threads: 1, memoryLimitBytes: null, tablesLimitBytes });
  try {
    const engine = new RewritingEngine(input.rewrite ?? ((select) => select), session, {
      lake: await memoryReading(session, input.events, folder),
      tables: [
        ...inputTables(input.settings, input.window, input.definitions, input.sessions),
        ...coverageTables(
          input.window,
          there,
          own.every((hour) => there.includes(hour)),
        ),
      ],
      eventTypes: eventTypes(input.settings),
      columnStates: columnStates(input.definitions),
      byText: input.byText ?? false,
    });
    await engine.prepare();
    await runStages(engine, stages(input.settings, input.definitions), { roots: input.roots ?? null });
    return await read(session);
  } finally {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class RewritingEngine extends DayEngine {
  readonly #rewrite: (select: string, relation: string) => string;

  constructor(rewrite: (select: string, relation: string) => string, ...rest: ConstructorParameters<typeof DayEngine>) {
    super(...rest);
    this.#rewrite = rewrite;
  }

  override create(relation: string, select: string, keep: Keep): Promise<number> {
    return super.create(relation, this.#rewrite(select, relation), keep);
  }
}
