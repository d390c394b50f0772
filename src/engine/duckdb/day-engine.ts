import type { DayInput, EngineTask, InputTable } from "../engine.ts";
import { createInputTable } from "./input-table.ts";
import {
  HASH_COLLISIONS,
  IDENTITIES_STATEMENT,
  IDENTITY_TEXTS_STATEMENT,
  KEYED_VIEWS,
  keyedStatement,
  REPEATED_CANDIDATES_STATEMENT,
  rejectedRowsStatement,
  repeatedEventsStatement,
  tiedIdsStatement,
  typeStatements,
} from "./keying.ts";
import { sqlName, sqlText } from "./reading/sql-text.ts";
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
      rows: this.#input.reading.sourceFiles.map((file) => [file.fileNo, file.path]),
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
        return this.create("raw_events", this.#input.reading.rawEvents, "view");
      case "key":
        return this.#key();
      case "repeated-events":
        return this.#repeatedEvents();
      case "tied-ids":
        return this.#session.run(tiedIdsStatement(await this.#any("tied_events")));
      case "state-values":
        return this.#stateValues();
      case "rejected-rows":
        return this.#session.run(rejectedRowsStatement(await this.#any("owned_verdicts")));
    }
  }

  async #any(relation: string): Promise<boolean> {
    return (await this.#session.rows(`select 1 from ${relation} limit 1`)).length > 0;
  }

  async #key(): Promise<void> {
    await this.#session.run(IDENTITY_TEXTS_STATEMENT);
    const [row] = await this.#session.rows(HASH_COLLISIONS);
    await this.#session.run(IDENTITIES_STATEMENT);
    await this.#session.run(keyedStatement(this.#input.matchByText === true || Number(row?.collisions) > 0));
    for (const statement of KEYED_VIEWS) await this.#session.run(statement);
  }

  async #repeatedEvents(): Promise<void> {
    await this.#session.run(REPEATED_CANDIDATES_STATEMENT);
    const any = await this.#any("repeated_candidates");
    const others = this.#input.reading.otherColumns;
    if (!any || others === null) {
      return this.#session.run(repeatedEventsStatement(any, "cast(0 as bigint)", ""));
    }
    const order = others.names.map((name) => `o.${sqlName(name)} nulls first`).join(", ");
    return this.#session.run(
      repeatedEventsStatement(
        any,
        `dense_rank() over (partition by r.event_id order by ${order})`,
        `join (${others.select}) o on o.event_no = r.event_no`,
      ),
    );
  }

  async #stateValues(): Promise<void> {
    await this.#session.run(
      "create table state_values (metric_no integer, state_bit bigint, event_no bigint, is_on boolean)",
    );
    for (const state of this.#input.columnStates) {
      const values = state.equals.map(sqlText).join(", ");
      await this.#session.run(`insert into state_values
        select ${state.metricNo}, ${state.stateBit}, event_no, value in (${values})
        from (${this.#input.reading.textColumns([state.column])}) as column_texts(event_no, value)
        where value is not null`);
    }
  }
}
