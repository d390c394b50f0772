import type { DayInput, EngineTask, InputTable, LakeReading } from "../engine.ts";
import { createInputTable } from "./input-table.ts";
import {
  HASH_COLLISIONS,
  IDENTITIES_STATEMENT,
  IDENTITY_TEXTS_SELECT,
  KEYED_VIEWS,
  keyedSelect,
  REJECTED_ROWS_SELECT,
  REPEATED_CANDIDATES_STATEMENT,
  REPEATED_ROWS_SELECT,
  repeatedEventsStatement,
  TIED_IDS_SELECT,
  typeStatements,
} from "./keying.ts";
import { rawEventsSelect } from "./reading/raw-events.ts";
import { sqlText } from "./reading/sql-text.ts";
import type { DuckDbSession } from "./session.ts";

/** Runs one day's stages in DuckDB. */
export class DayEngine {
  readonly #session: DuckDbSession;
  readonly #input: DayInput;

  constructor(session: DuckDbSession, input: DayInput) {
    this.#session = session;
    this.#input = input;
  }

  async prepare(): Promise<void> {
    for (const statement of typeStatements(this.#input.eventTypes)) await this.#session.run(statement);
    for (const table of this.#input.tables) await this.createTable(table);
    await this.createTable({
      name: "source_files",
      columns: [
        ["file_no", "bigint"],
        ["path", "varchar"],
      ],
      rows: this.#input.lake.sourceFiles.map((file) => [file.fileNo, file.path]),
    });
  }

  createTable(table: InputTable): Promise<void> {
    return createInputTable(this.#session, table);
  }

  /** Makes a relation of a stage's SELECT. `empty`: a table with its columns, for which nothing is computed. */
  async create(relation: string, select: string, keep: "table" | "view" | "empty"): Promise<void> {
    await this.#session.run(
      keep === "empty"
        ? `create table ${relation} as select * from (${select}) limit 0`
        : `create ${keep} ${relation} as ${select}`,
    );
  }

  async perform(task: EngineTask): Promise<void> {
    switch (task) {
      case "read":
        return this.#setRawEvents(NO_RAW_EVENTS);
      case "key":
        return this.#key();
      case "repeated-events":
        return this.#repeatedEvents();
      case "tied-ids":
        return this.#gatherThose("tied_events", { tied_ids: () => TIED_IDS_SELECT });
      case "state-values":
        return this.#stateValues();
      case "rejected-rows":
        return this.#gatherThose("owned_verdicts", { rejected_rows: () => REJECTED_ROWS_SELECT });
    }
  }

  async #key(): Promise<void> {
    const batches = await this.#gather({ identity_batches: () => IDENTITY_TEXTS_SELECT });
    await this.#session.run(
      batches === 1
        ? "alter table identity_batches rename to identity_texts"
        : "create table identity_texts as select distinct * from identity_batches",
    );
    await this.#session.run("drop table if exists identity_batches");
    const [row] = await this.#session.rows(HASH_COLLISIONS);
    await this.#session.run(IDENTITIES_STATEMENT);
    const matchByText = this.#input.matchByText === true || Number(row?.collisions) > 0;
    await this.#gather({ keyed: () => keyedSelect(matchByText) });
    for (const statement of KEYED_VIEWS) await this.#session.run(statement);
  }

  async #repeatedEvents(): Promise<void> {
    await this.#session.run(REPEATED_CANDIDATES_STATEMENT);
    let others: readonly string[] = [];
    await this.#gatherThose("repeated_candidates", {
      repeated_rows: () => REPEATED_ROWS_SELECT,
      repeated_others: ({ otherColumns }) => {
        others = otherColumns?.names ?? [];
        return otherColumns === null
          ? "select cast(null as bigint) as event_no limit 0"
          : `select * from (${otherColumns.select}) where event_no in (select event_no from repeated_candidates)`;
      },
    });
    await this.#session.run(repeatedEventsStatement(others));
    await this.#session.run("drop table repeated_rows");
    await this.#session.run("drop table repeated_others");
  }

  async #stateValues(): Promise<void> {
    await this.#session.run(
      "create table state_values (metric_no integer, state_bit bigint, event_no bigint, is_on boolean)",
    );
    const { lake, columnStates } = this.#input;
    if (columnStates.length === 0) return;
    await lake.read(async (reading) => {
      for (const state of columnStates) {
        const values = state.equals.map(sqlText).join(", ");
        await this.#session.run(`insert into state_values
          select ${state.metricNo}, ${state.stateBit}, event_no, value in (${values})
          from (${reading.textColumns([state.column])}) as column_texts(event_no, value)
          where value is not null`);
      }
    });
  }

  /**
   * Makes tables of SELECTs over the lake, which is read some files after the other; gives in how many batches. `fileNos`: only these files.
   * Only within this is `raw_events` more than an empty relation, so that no statement can take a batch for the whole.
   */
  async #gather(
    tables: Readonly<Record<string, (reading: LakeReading) => string>>,
    fileNos?: ReadonlySet<number>,
  ): Promise<number> {
    let batches = 0;
    await this.#input.lake.read(async (reading) => {
      await this.#setRawEvents(reading.rawEvents);
      for (const [table, select] of Object.entries(tables)) {
        await this.#session.run(
          `${batches === 0 ? `create table ${table} as` : `insert into ${table}`} ${select(reading)}`,
        );
      }
      batches++;
    }, fileNos);
    await this.#setRawEvents(NO_RAW_EVENTS);
    return batches;
  }

  /** The same over the files that hold events of a relation; where it is empty, nothing is read. */
  async #gatherThose(
    events: string,
    tables: Readonly<Record<string, (reading: LakeReading) => string>>,
  ): Promise<void> {
    const rows = await this.#session.rows(`select distinct event_no // 4294967296 as file_no from ${events}`);
    const fileNos = new Set(rows.map(({ file_no }) => Number(file_no)));
    await this.#gather(tables, fileNos);
  }

  #setRawEvents(select: string): Promise<void> {
    return this.#session.run(`create or replace view raw_events as ${select}`);
  }
}

const NO_RAW_EVENTS = rawEventsSelect([], { timeUnit: "ms" });
