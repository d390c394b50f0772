import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { ColumnType, ExportColumn } from "./columns.ts";
import { connectFailure, writeFailure } from "./postgres-failure.ts";
import type { PostgresTarget } from "./postgres-target.ts";

/** Rows that belong together: those of the same partition that are there already go as they come. */
export interface Replacement {
  /** Values of the partition's columns, which tell the rows to be replaced. */
  readonly partitions: readonly Readonly<Record<string, string | number>>[];
  /** CSV without a header. */
  readonly rows: AsyncIterable<string>;
}

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: "text",
  integer: "bigint",
  boolean: "boolean",
  time: "timestamptz",
  date: "date",
};

const CONNECT_MS = 15_000;

/** A database session; whatever ends it without a commit leaves the table as it was. */
export class PostgresTable {
  readonly #client: pg.Client;
  readonly #target: PostgresTarget;
  readonly #columns: readonly ExportColumn[];

  private constructor(client: pg.Client, target: PostgresTarget, columns: readonly ExportColumn[]) {
    this.#client = client;
    this.#target = target;
    this.#columns = columns;
  }

  static async open(target: PostgresTarget, columns: readonly ExportColumn[]): Promise<PostgresTable> {
    const client = new pg.Client({
      connectionString: target.url,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: "presence-batch",
    });
    // A connection that breaks fails the statement in hand; without a listener it would end the process, too.
    client.on("error", () => {});
    try {
      await client.connect();
    } catch (error) {
      await client.end().catch(() => {});
      throw connectFailure(error, target);
    }
    return new PostgresTable(client, target, columns);
  }

  /**
   * Replaces the rows of some partitions, in one transaction. The table is made where there is none. Whoever else writes to it
   * waits for the end, so that two exports at once do not add up; who reads it sees the old rows until then.
   */
  async replace({ partitions, rows }: Replacement, signal: AbortSignal): Promise<void> {
    const table = quoted(this.#target.table);
    try {
      await this.#client.query("begin");
      await this.#create(table, Object.keys(partitions[0] ?? {}));
      await this.#client.query(`lock table ${table} in share row exclusive mode`);
      for (const partition of partitions) {
        const names = Object.keys(partition);
        const where = names.map((name, i) => `${pg.escapeIdentifier(name)} = $${i + 1}`).join(" and ");
        await this.#client.query(`delete from ${table} where ${where}`, Object.values(partition));
      }
      const list = this.#columns.map(({ name }) => pg.escapeIdentifier(name)).join(", ");
      const copy = this.#client.query(copyFrom(`copy ${table} (${list}) from stdin (format csv)`));
      await pipeline(Readable.from(rows), copy, { signal });
      await this.#client.query("commit");
    } catch (error) {
      await this.#client.query("rollback").catch(() => {});
      signal.throwIfAborted();
      throw writeFailure(error, this.#target);
    }
  }

  async #create(table: string, key: readonly string[]): Promise<void> {
    const { rows } = await this.#client.query("select to_regclass($1) as found", [table]);
    if (rows[0]?.found !== null) return;
    const columns = this.#columns.map(({ name, type }) => `${pg.escapeIdentifier(name)} ${SQL_TYPES[type]}`);
    await this.#client.query(`create table if not exists ${table} (${columns.join(", ")})`);
    await this.#client.query(`create index on ${table} (${key.map((name) => pg.escapeIdentifier(name)).join(", ")})`);
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }
}

/** `presence.user_daily` as SQL names it. */
const quoted = (table: string): string =>
  table
    .split(".")
    .map((name) => pg.escapeIdentifier(name))
    .join(".");
