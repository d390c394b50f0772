import { floorDivide } from "./whole-ms.ts";

/**
 * Values stored as text. DuckDB's own casts take too much for numbers ('1.5' becomes 2, '1e3', '0x10', '1_000') and for
 * times (a zone's name, 'infinity', an offset that TIMESTAMP silently drops), so the form is checked first.
 * Blanks around a value are ignored: by the patterns, since trim() costs more than the check itself.
 */

const WHOLE_NUMBER = " *[+-]?[0-9]+(?:\\.0+)? *";
const DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const ZONE = "(?:Z|[+-](?:0[0-9]|1[0-8])(?::?[0-5][0-9])?)";
const TO_MINUTE = ` *${DATE}[T ][0-9]{2}:[0-9]{2}`;
const TO_SECOND = `${TO_MINUTE}:[0-9]{2}(?:\\.[0-9]+)?`;

/** BIGINT of `42`, `-7` or `42.0`; null for `1.5`, `abc`, `1e3` and what a BIGINT does not hold. */
export function wholeNumberText(source: string): string {
  return `CASE WHEN ${matches(source, WHOLE_NUMBER)} THEN TRY_CAST(${source} AS BIGINT) END`;
}

/**
 * Ms of Unix time, floored, of ISO 8601 with date and time of day (`T` or a space between, seconds and a fraction of any
 * length or neither), `Z`, an offset (+08:00, +0800, +08), or no zone, which is UTC; else null.
 */
export function timeText(source: string): string {
  const text = `trim(${source})`;
  const zoned = `CASE
    WHEN ${matches(source, `${TO_SECOND}${ZONE} *`)} THEN ${source}
    WHEN ${matches(source, `${TO_SECOND} *`)} THEN ${text} || 'Z'
    WHEN ${matches(source, `${TO_MINUTE} *`)} THEN ${text} || ':00Z'
    WHEN ${matches(source, `${TO_MINUTE}${ZONE} *`)} THEN ${text}[:16] || ':00' || ${text}[17:]
  END`;
  const time = `TRY_CAST(${zoned} AS TIMESTAMPTZ)`;
  // epoch_ms is quick, but cuts towards zero; nothing from 1970 on sorts below this text.
  return `CASE WHEN ${source} >= '1970' THEN epoch_ms(${time}) ELSE ${floorDivide(`epoch_us(${time})`, 1000)} END`;
}

/** Whether a text is a time that names no zone. */
export function isZonelessText(source: string): string {
  return `coalesce(${matches(source, `${TO_MINUTE}(?::[0-9]{2}(?:\\.[0-9]+)?)? *`)}, FALSE)`;
}

/** Whether a text is there but cannot be read, `value` being what was read of it. Never null; empty text is no text. */
export function isUnreadText(source: string, value: string): string {
  return `CASE WHEN (${value}) IS NULL THEN coalesce(trim(${source}) <> '', FALSE) ELSE FALSE END`;
}

function matches(source: string, pattern: string): string {
  return `regexp_full_match(${source}, '${pattern}')`;
}
