import {
  AsyncByteQueue,
  Bool,
  type DataType,
  DateDay,
  Field,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import type { Batches, ColumnType, ExportColumn, ExportValue } from "./columns.ts";

/** Rows of a record batch: enough that its frame weighs nothing, few enough to hold. */
const BATCH_ROWS = 32_768;

const TYPES: Readonly<Record<ColumnType, () => DataType>> = {
  text: () => new Utf8(),
  integer: () => new Int64(),
  boolean: () => new Bool(),
  time: () => new TimestampMillisecond("UTC"),
  date: () => new DateDay(),
};

/** What the writer has written and nobody has taken yet. */
class Written extends AsyncByteQueue {
  take(): Uint8Array[] {
    return this._values.splice(0) as unknown as Uint8Array[];
  }
}

/** The rows as an Arrow IPC file (Feather 2), record batch by record batch. */
export async function* arrowFile(columns: readonly ExportColumn[], batches: Batches): AsyncGenerator<Uint8Array> {
  const schema = new Schema(columns.map(({ name, type }) => new Field(name, TYPES[type](), true)));
  const written = new Written();
  const writer = new RecordBatchFileWriter();
  writer.reset(written, schema);
  for await (const rows of regrouped(batches)) {
    writer.write(recordBatch(schema, columns, rows));
    yield* written.take();
  }
  writer.finish();
  yield* written.take();
}

function recordBatch(
  schema: Schema,
  columns: readonly ExportColumn[],
  rows: readonly (readonly ExportValue[])[],
): RecordBatch {
  const children = schema.fields.map((field, i) => {
    const isDate = columns[i]!.type === "date";
    const values = rows.map((row) => (isDate && row[i] !== null ? new Date(`${row[i]}T00:00:00Z`) : row[i]!));
    return vectorFromArray(values, field.type).data[0]!;
  });
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
}

async function* regrouped(batches: Batches): Batches {
  let rows: (readonly ExportValue[])[] = [];
  for await (const batch of batches) {
    for (const row of batch) rows.push(row);
    if (rows.length < BATCH_ROWS) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}
