import { usageError } from "../errors.ts";
import { checkDay } from "./days.ts";

const SHAPE =
  /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/i;

/**
 * Ms of Unix time of `2026-07-29T20:00:00+08:00` or `…Z`; seconds and fractions may be left out, and what is finer than a
 * millisecond is cut off. The offset is always said: a clock without one means two instants where clocks are put back.
 */
export function parseInstant(text: string): number {
  const shown = JSON.stringify(text);
  const parts = SHAPE.exec(text.trim());
  if (parts === null) throw usageError(`${shown} is no instant`, EXAMPLE);
  const [, date = "", , offset] = parts;
  if (offset === undefined) throw usageError(`${shown} does not say its offset from UTC`, EXAMPLE);
  checkDay(date);
  const iso = text.trim().toUpperCase().replace(" ", "T");
  return Date.parse(iso.replace(/(\.\d{3})\d+/, "$1").replace(/([+-]\d{2})(\d{2})$/, "$1:$2"));
}

const EXAMPLE = "write 2026-07-29T20:00:00+08:00, or 2026-07-29T12:00:00Z";
