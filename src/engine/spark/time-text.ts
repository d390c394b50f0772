import { sparkText } from "./spark-text.ts";

const DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const ZONE = "Z|[+-](?:0[0-9]|1[0-8])(?::?[0-5][0-9])?";
const CLOCK = "([0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:\\.([0-9]{1,3})[0-9]*)?)?";
const TIME = sparkText(`^ *(${DATE})[T ]${CLOCK}(${ZONE})? *\\z`);
const ZONELESS = sparkText(`^ *${DATE}[T ]${CLOCK} *\\z`);

/**
 * Ms of Unix time, floored, of ISO 8601 with date and time of day (`T` or a space between, seconds and a fraction of any
 * length or neither), `Z`, an offset (+08:00, +0800, +08), or no zone, which is UTC; else null.
 */
export function timeText(source: string): string {
  const part = (group: number, absent: string) =>
    `coalesce(nullif(regexp_extract(${source}, ${TIME}, ${group}), ''), '${absent}')`;
  // A fraction counts up from its second, also before 1970: its first three digits are its floor.
  const iso = `concat(${part(1, "")}, 'T', ${part(2, "")}, ':', ${part(3, "00")}, '.', rpad(${part(4, "0")}, 3, '0'), ${part(5, "Z")})`;
  return `case when ${source} rlike ${TIME} then unix_millis(try_cast(${iso} as timestamp)) end`;
}

/** Whether a text is a time that names no zone. Never null. */
export function isZonelessText(source: string): string {
  return `coalesce(${source} rlike ${ZONELESS}, false)`;
}
