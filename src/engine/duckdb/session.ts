import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { READING_STATEMENTS } from "./reading/connection-settings.ts";
import { sqlPath, sqlText } from "./reading/sql-text.ts";

/**
 * DuckDB's part of the memory that the process may take. The rest is Node.js and what DuckDB does not count: over 25 million events the
 * process came to as much as 1.5 times DuckDB's limit and 0.1 GB.
 */
const ENGINE_SHARE = 0.75;

/** Of the memory that the process may take, what tables may before they are compressed. */
const TABLES_SHARE = 0.4;
/** So few rows take as long to compress as that saves. */
const FEW_ROWS = 2_000_000;

/** Tables are compressed when `#compressTables` asks for it, never by themselves in the midst of a statement. */
const TABLES_STATEMENTS = [
  "SET checkpoint_threshold = '1000TB'",
  // Nearly all columns of large tables are whole numbers; to try every other method takes a third longer.
  "SET force_compression = 'bitpacking'",
  "ATTACH ':memory:' AS work (COMPRESS)",
];

export type Row = Record<string, unknown>;

export interface SessionOptions {
  /** Private, absolute folder of the run: spilled data goes below it, and nothing else. */
  readonly folder: string;
  readonly threads: number | null;
  /** What the process may take; null: DuckDB's own default. */
  readonly memoryLimitBytes: number | null;
  /** The only files outside of the folder that may be read, absolute. */
  readonly reads?: readonly string[];
  /** What tables may take before large ones are compressed; null: a share of the limit. 0: all are, however small. */
  readonly tablesLimitBytes?: number | null;
}

/** One in-memory DuckDB. Integers come back as bigint, whatever their width above 32 bits. */
export class DuckDbSession {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #beside: DuckDBConnection;
  readonly #tablesLimitBytes: number;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;
  /** Written since tables were last compressed. */
  #looseRows = 0;
  /** Where data goes that memory does not hold. */
  readonly spillFolder: string;

  private constructor(
    instance: DuckDBInstance,
    [connection, beside]: readonly [DuckDBConnection, DuckDBConnection],
    spillFolder: string,
    tablesLimitBytes: number,
  ) {
    this.#instance = instance;
    this.#connection = connection;
    this.#beside = beside;
    this.spillFolder = spillFolder;
    this.#tablesLimitBytes = tablesLimitBytes;
  }

  static async open(options: SessionOptions): Promise<DuckDbSession> {
    const spill = join(options.folder, "spill");
    await mkdir(spill, { recursive: true, mode: 0o700 });
    const instance = await DuckDBInstance.create(":memory:", {
      temp_directory: spill,
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      ...(options.threads === null ? {} : { threads: String(options.threads) }),
      ...memoryLimit(options),
    });
    const connections = [await instance.connect(), await instance.connect()] as const;
    for (const statement of TABLES_STATEMENTS) await connections[0].run(statement);
    for (const connection of connections) {
      for (const statement of [...READING_STATEMENTS, "USE work"]) await connection.run(statement);
    }
    const share = (options.memoryLimitBytes ?? Number.POSITIVE_INFINITY) * TABLES_SHARE;
    const session = new DuckDbSession(instance, connections, spill, options.tablesLimitBytes ?? share);
    for (const statement of confinement(options)) await session.run(statement);
    return session;
  }

  async run(sql: string): Promise<void> {
    await this.#during(() => this.#connection.run(sql));
  }

  /**
   * Runs a CREATE TABLE … AS, or an INSERT, and gives the number of its rows. Where tables then take much of the memory, it
   * compresses them.
   */
  async fillTable(sql: string): Promise<number> {
    const reader = await this.#during(() => this.#connection.runAndReadAll(sql));
    const rows = Number(reader.getRows()[0]?.[0] ?? 0);
    await this.#compressTables(rows);
    return rows;
  }

  async rows(sql: string): Promise<Row[]> {
    const reader = await this.#during(() => this.#connection.runAndReadAll(sql));
    return reader.getRowObjectsJS() as Row[];
  }

  /** As `rows`, at the same time as another statement of the session; one at a time. */
  async rowsBeside(sql: string): Promise<Row[]> {
    const reader = await this.#during(() => this.#beside.runAndReadAll(sql));
    return reader.getRowObjectsJS() as Row[];
  }

  /** The rows of a SELECT in their order, values in the order of its columns; some thousand at once, never all. */
  async *batches(sql: string): AsyncGenerator<readonly (readonly unknown[])[]> {
    const result = await this.#during(() => this.#connection.stream(sql));
    const batches = result.yieldRowsJs();
    for (;;) {
      const { done, value } = await this.#during(() => batches.next());
      if (done) return;
      if (value.length > 0) yield value;
    }
  }

  /**
   * Compresses the tables, to a fifth or so, where they take much of the memory. That is cheaper than to write them to the disk and to
   * read them again. Rows that were compressed before are left as they are.
   */
  async #compressTables(rowsWritten: number): Promise<void> {
    this.#looseRows += rowsWritten;
    const isAsked = this.#tablesLimitBytes === 0;
    if (!isAsked && (this.#looseRows < FEW_ROWS || (await this.#tablesBytes()) <= this.#tablesLimitBytes)) return;
    await this.run("FORCE CHECKPOINT work");
    this.#looseRows = 0;
  }

  async #tablesBytes(): Promise<number> {
    const [row] = await this.rows(
      "select cast(sum(memory_usage_bytes) as double) as bytes from duckdb_memory() where tag = 'IN_MEMORY_TABLE'",
    );
    return Number(row?.bytes);
  }

  /** Stops the statements that are running, if any; they then fail. */
  interrupt(): void {
    this.#connection.interrupt();
    this.#beside.interrupt();
  }

  /** Stops what is still running and waits for its end: DuckDB gone from under a statement would take the process along. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.interrupt();
    await Promise.allSettled(this.#running);
    this.#beside.closeSync();
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #during<T>(start: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error("the session is closed");
    const work = start();
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }
}

const memoryLimit = ({ memoryLimitBytes }: SessionOptions) =>
  memoryLimitBytes === null ? {} : { memory_limit: `${Math.floor(memoryLimitBytes * ENGINE_SHARE)}B` };

/**
 * From then on no statement, whoever wrote it, can load an extension, reach another file or the network, or lift this again.
 * A path is checked as it is written, and again as the pattern that it has to be written as.
 */
function confinement({ folder, reads = [] }: SessionOptions): string[] {
  const paths = [...new Set(reads.flatMap((path) => [sqlText(path), sqlPath(path)]))];
  return [
    `SET allowed_directories = [${sqlText(folder)}]`,
    `SET allowed_paths = [${paths.join(", ")}]`,
    "SET enable_external_access = false",
    "SET lock_configuration = true",
  ];
}
