import { open } from "node:fs/promises";

/**
 * DuckDB writes UTC timestamps in microseconds only, and timestamps of milliseconds only as local ones. So the columns
 * are written as the latter, and the footer's schema is then told that they are UTC: one bit each of Thrift's compact
 * encoding, LogicalType field 8 (TIMESTAMP) { isAdjustedToUTC, unit { MILLIS } }. All lengths stay as they are.
 */
const LOCAL_MILLIS = Buffer.from([0x8c, 0x12, 0x1c, 0x1c, 0x00, 0x00, 0x00]);
const IS_ADJUSTED_BYTE = 1;
const TRUE = 0x11;

const FOOTER_END_BYTES = 8;

/** Marks the file's `columns` timestamp columns as UTC. Throws where the footer does not have exactly that many. */
export async function declareTimesUtc(path: string, columns: number): Promise<void> {
  if (columns === 0) return;
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const end = await read(file, size - FOOTER_END_BYTES, FOOTER_END_BYTES);
    const length = end.readUInt32LE(0);
    const start = size - FOOTER_END_BYTES - length;
    const footer = await read(file, start, length);
    const places = findAll(footer, LOCAL_MILLIS);
    // The schema stands before the row groups, whose statistics might by chance hold the same bytes.
    const inSchema = places.slice(0, columns);
    if (inSchema.length < columns) {
      throw new Error(`${path}: ${inSchema.length} timestamp columns in the footer, ${columns} expected`);
    }
    for (const place of inSchema) await file.write(Buffer.from([TRUE]), 0, 1, start + place + IS_ADJUSTED_BYTE);
  } finally {
    await file.close();
  }
}

async function read(file: Awaited<ReturnType<typeof open>>, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new Error("the Parquet footer is shorter than it says");
  return buffer;
}

function findAll(haystack: Buffer, needle: Buffer): number[] {
  const places: number[] = [];
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + needle.length)) places.push(at);
  return places;
}
