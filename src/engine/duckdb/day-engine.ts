import type { DayInput, EngineTask, InputTable, Keep, LakeReading, WhichFiles } from "../engine.ts";
import { createInputTable } from "./input-table.ts";
import {
  ALIKE_CANDIDATES_STATEMENT,
  HASH_COLLISIONS,
  ID_COLLISIONS,
  IDENTITIES_STATEMENT,
  IDENTITY_TEXTS_SELECT,
  KEYED_RELATIONS,
  keyedSelect,
  NARROW_EVENT_TYPES,
  REJECTED_ROWS_STATEMENT,
  REPEATED_CANDIDATES_STATEMENT,
  repeatedEventsStatement,
  typeStatements,
  WANTED_STATEMENT,
} from "./keying.ts";
import { rawEventsSelect } from "./reading/raw-events.ts";
import { sqlText } from "./reading/sql-text.ts";
import type { DuckDbSession } from "./session.ts";

/** Keyed rows that are written before they may be compressed: as many as take some 250 MB. */
const ROWS_AT_ONCE = 4_000_000;

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
    await this.#session.run(NARROW_EVENT_TYPES);
    await this.createTable({
      name: "source_files",
      columns: [
        ["file_no", "bigint"],
        ["path", "varchar"],
      ],
      rows: this.#input.lake.sourceFiles.map((file) => [file.fileNo, file.path]),
    });
  }

  get spillFolder(): string {
    return this.#session.spillFolder;
  }

  /** How many rows each table has. */
  async tableRows(): Promise<Map<string, number>> {
    const rows = await this.#session.rows("select table_name, estimated_size from duckdb_tables()");
    return new Map(rows.map((row) => [String(row.table_name), Number(row.estimated_size)]));
  }

  createTable(table: InputTable): Promise<void> {
    return createInputTable(this.#session, table);
  }

  /** Makes a relation of a stage's SELECT and gives the rows of a table. `empty`: a table with its columns, for which nothing is computed. */
  async create(relation: string, select: string, keep: Keep): Promise<number> {
    const body = keep === "empty" ? `select * from (${select}) limit 0` : select;
    const statement = `create or replace ${keep === "view" ? "view" : "table"} ${relation} as ${body}`;
    if (keep !== "view") return this.#session.fillTable(statement);
    await this.#session.run(statement);
    return 0;
  }

  /** Forgets a table that nothing will read again. */
  drop(relation: string): Promise<void> {
    return this.#session.run(`drop table ${relation}`);
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
        return this.#gatherThose("tied_events", "tied_ids", rowsIn("tied_events", "event_no, event_id"));
      case "state-values":
        return this.#stateValues();
      case "rejected-rows":
        return this.#rejectedRows();
    }
  }

  async #key(): Promise<void> {
    const batches = await this.#gather("identity_batches", () => IDENTITY_TEXTS_SELECT);
    await this.#session.run(
      batches === 1
        ? "alter table identity_batches rename to identity_texts"
        : "create table identity_texts as select distinct * from identity_batches",
    );
    await this.#session.run("drop table if exists identity_batches");
    const [row] = await this.#session.rows(HASH_COLLISIONS);
    await this.#session.run(IDENTITIES_STATEMENT);
    await this.#session.run("drop table identity_texts");
    const byText = this.#input.byText === true || Number(row?.collisions) > 0;
    await this.#gather("keyed", () => keyedSelect(byText), { mostRows: ROWS_AT_ONCE });
    for (const statement of KEYED_RELATIONS) await this.#session.run(statement);
  }

  async #repeatedEvents(): Promise<void> {
    await this.#session.run(REPEATED_CANDIDATES_STATEMENT);
    // An eighth of what keyed rows take.
    await this.#session.run("alter table keyed drop column event_hash");
    await this.#session.run(ALIKE_CANDIDATES_STATEMENT);
    const idOf = this.#input.byText ? "text" : "hash";
    if (idOf === "text") {
      await this.#gatherThose(
        "repeated_candidates",
        "candidate_ids",
        rowsIn("repeated_candidates", "event_no, event_id"),
      );
    }
    let others: readonly string[] = [];
    await this.#gatherThose("alike_candidates", "alike_others", ({ otherColumns }) => {
      others = otherColumns?.names ?? [];
      return otherColumns === null
        ? "select cast(null as bigint) as event_no limit 0"
        : `select * from (${otherColumns.select}) where event_no in (select event_no from alike_candidates)`;
    });
    await this.#session.run(repeatedEventsStatement(idOf, others));
    await this.#session.run("drop table alike_others");
  }

  /** Throws IdCollision where a hash of event ids has stood for two of them, so that R7 must compare texts. */
  async #rejectedRows(): Promise<void> {
    await this.#session.run(WANTED_STATEMENT);
    await this.#gatherThose("wanted_numbers", "wanted_rows", rowsIn("wanted_numbers", "*"));
    const [row] = await this.#session.rows(ID_COLLISIONS);
    if (!this.#input.byText && Number(row?.collisions) > 0) throw new IdCollision();
    await this.#session.run(REJECTED_ROWS_STATEMENT);
    await this.#session.run("drop table wanted_rows");
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
   * Makes a table of a SELECT over the lake, which is read some files after the other; gives in how many batches. Only within this is
   * `raw_events` more than an empty relation, so that no statement can take a batch for the whole.
   */
  async #gather(table: string, select: (reading: LakeReading) => string, which?: WhichFiles): Promise<number> {
    let batches = 0;
    await this.#input.lake.read(async (reading) => {
      await this.#setRawEvents(reading.rawEvents);
      const target = batches === 0 ? `create table ${table} as` : `insert into ${table}`;
      await this.#session.fillTable(`${target} ${select(reading)}`);
      batches++;
    }, which);
    await this.#setRawEvents(NO_RAW_EVENTS);
    return batches;
  }

  #setRawEvents(select: string): Promise<void> {
    return this.#session.run(`create or replace view raw_events as ${select}`);
  }

  /** The same over the files that hold events of a relation; where it is empty, nothing is read. */
  async #gatherThose(events: string, table: string, select: (reading: LakeReading) => string): Promise<void> {
    const rows = await this.#session.rows(`select distinct event_no // 4294967296 as file_no from ${events}`);
    await this.#gather(table, select, { fileNos: new Set(rows.map(({ file_no }) => Number(file_no))) });
  }
}

const NO_RAW_EVENTS = rawEventsSelect([], { timeUnit: "ms" });

/** Columns of the lake's rows whose event_no the relation has. */
const rowsIn =
  (relation: string, columns: string) =>
  (reading: LakeReading): string =>
    `select ${columns} from (${reading.rawEventsIn(relation)})`;

/** Two event ids of one hash, once in many billions of years: the day is to be counted again with `byText`. */
export class IdCollision extends Error {
  constructor() {
    super("two event ids have the same hash");
  }
}
