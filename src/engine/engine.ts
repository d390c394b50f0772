/** What only the engine can do: reading the lake and giving rows their keys. */
export type EngineTask = "read" | "key" | "repeated-events" | "tied-ids" | "state-values" | "rejected-rows";

/**
 * `table`: computed once and kept, because several steps read it; `view`: computed where it is read; `empty`: known to have no
 * rows under the run's definitions, so that nothing is computed.
 */
export type Keep = "table" | "view" | "empty";

export type Value = string | number | boolean | null;

/** A small table that a stage reads: column name and SQL type, then rows. */
export interface InputTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: "bigint" | "integer" | "boolean" | "varchar"])[];
  readonly rows: readonly (readonly Value[])[];
}

/** A definition's state that takes its value from a column of the lake (R17). */
export interface ColumnState {
  readonly metricNo: number;
  readonly stateBit: number;
  readonly column: string;
  readonly equals: readonly string[];
}

/** How some of the lake's files are read, as SQL of the engine. */
export interface LakeReading {
  /** SELECT over the files: the columns of `raw_events`. */
  readonly rawEvents: string;
  /** The same of the rows alone whose event_no the relation has: the others are left out before their values are read. */
  rawEventsIn(relation: string): string;
  /** SELECT of event_no and these lake columns as text, in this order; null where a file lacks one. */
  textColumns(names: readonly string[]): string;
  /**
   * SELECT of event_no and the lake's columns beside the contract's, ordered by their names in the lake, each of its own type;
   * `names` are those that the SELECT gives them. Null: there are none.
   */
  readonly otherColumns: { readonly select: string; readonly names: readonly string[] } | null;
}

/** The lake's files of a day, of which not all have to be on this machine at once. */
export interface LakeFiles {
  /** Relative path of each file number. */
  readonly sourceFiles: readonly { readonly fileNo: number; readonly path: string }[];
  /**
   * Reads all files, or some, one after the other: each is in one of the readings that `work` gets, and can be read until that
   * call ends. Calls it at least once; only once where all files lie on this machine and `mostRows` does not part them.
   */
  read(work: (reading: LakeReading) => Promise<void>, which?: WhichFiles): Promise<void>;
}

/** What of a day's files a reading takes. */
export interface WhichFiles {
  /** These alone. */
  readonly fileNos?: ReadonlySet<number>;
  /** No more rows at once, unless one file has more. */
  readonly mostRows?: number;
}

/** Everything that one day's stages start from. */
export interface DayInput {
  readonly lake: LakeFiles;
  readonly tables: readonly InputTable[];
  readonly eventTypes: readonly string[];
  readonly columnStates: readonly ColumnState[];
  /** Compare texts from the start where hashes would do: what a collision of hashes calls for. */
  readonly byText?: boolean;
}
