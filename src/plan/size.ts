import { usageError } from "../errors.ts";

const UNITS: ReadonlyMap<string, number> = new Map([
  ["b", 1],
  ["kb", 1_000],
  ["mb", 1_000 ** 2],
  ["gb", 1_000 ** 3],
  ["tb", 1_000 ** 4],
  ["kib", 1_024],
  ["mib", 1_024 ** 2],
  ["gib", 1_024 ** 3],
  ["tib", 1_024 ** 4],
]);

/** Whole bytes (rounded down) of `400MB`, `1.5GB`, `1GiB`; units in any case. Zero and anything else is a usage error. */
export function parseSize(text: string): number {
  const parts = /^(\d+(?:\.\d+)?) ?([A-Za-z]+)$/.exec(text);
  const unit = UNITS.get((parts?.[2] ?? "").toLowerCase());
  const bytes = parts && unit ? Math.floor(Number(parts[1]) * unit) : 0;
  if (bytes < 1 || !Number.isSafeInteger(bytes)) {
    throw usageError(`${JSON.stringify(text)} is not a size such as 400MB, 1GB or 2GiB`);
  }
  return bytes;
}
