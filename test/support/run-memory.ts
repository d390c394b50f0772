import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Definition } from "../../src/definitions/definition.ts";
import { DayEngine } from "../../src/engine/duckdb/day-engine.ts";
import { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import type { DayInput } from "../../src/engine/engine.ts";
import { columnStates, coverageTables, eventTypes, inputTables } from "../../src/pipeline/inputs.ts";
import { runStages } from "../../src/pipeline/run-day.ts";
import { type Keep, stages } from "../../src/pipeline/stages.ts";
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
    /** Without the shortcuts: all sessions of the read window, and every row sorted where it is needed in order. */
    longWay?: boolean;
    /** Changes the SQL of each relation before it is run. */
    rewrite?: (select: string) => string;
    /**
     * Whether events come as they were written, or in an order of their own as if the engine had lost it. Left alone, small
     * tables are joined in any order, so that DuckDB's own files would hardly ever be heard.
     */
    rows?: "in order" | "out of order";
    /** Forgets tables, as a rebuild does, but for those that these relations need. */
    roots?: readonly string[];
  },
  read: (session: DuckDbSession) => Promise<T>,
): Promise<T> {
  const own = utcHours(input.window.startMs, input.window.endMs);
  const there = input.hoursWithData ?? own;
  const folder = await mkdtemp(join(tmpdir(), "presence-test-"));
  const session = await DuckDbSession.open({ folder, threads: 1, memoryLimitBytes: null });
  try {
    const changes = { rewrite: input.rewrite ?? ((select: string) => select), rows: input.rows ?? "in order" } as const;
    const engine = new ChangedEngine(changes, session, {
      lake: await memoryReading(session, input.events, folder),
      tables: [
        ...inputTables(input.settings, input.window, input.definitions, input.longWay ? "all" : "reaching"),
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
    await runStages(engine, stages(input.settings, input.definitions), {
      portable: input.longWay ?? false,
      roots: input.roots ?? null,
    });
    return await read(session);
  } finally {
    session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Changes {
  readonly rewrite: (select: string) => string;
  readonly rows: "in order" | "out of order";
}

/** The relations that DuckDB's own files go through, and how they are to find them. */
const GONE_THROUGH = ["sequenced_events", "current_events", "signals"];
const ORDERS = {
  "in order": "session_no desc, epoch desc, sequence desc nulls last, server_ms desc, event_no desc",
  "out of order": "event_no % 7, event_no desc",
};

class ChangedEngine extends DayEngine {
  readonly #changes: Changes;
  readonly #session: DuckDbSession;

  constructor(changes: Changes, session: DuckDbSession, input: DayInput) {
    super(session, input);
    this.#changes = changes;
    this.#session = session;
  }

  override async create(relation: string, select: string, keep: Keep): Promise<number> {
    const isGoneThrough = GONE_THROUGH.includes(relation);
    const rows = await super.create(relation, this.#changes.rewrite(select), isGoneThrough ? "table" : keep);
    if (!isGoneThrough) return rows;
    const order = ORDERS[this.#changes.rows];
    await this.#session.run(`create or replace table ${relation} as select * from ${relation} order by ${order}`);
    return rows;
  }
}
