/**
 * Values stored as text. DuckDB's own casts take too much for numbers ('1.5' becomes 2, '1e3', '0x10', '1_000') and for
 * times (a zone's name, 'infinity', an offset that TIMESTAMP silently drops), so the form is checked first.
 * Blanks around a value are ignored.
 */

const WHOLE_NUMBER = "[+-]?[0-9]+(?:\\.0+)?";
const DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const OFFSET = "[+-](?:0[0-9]|1[0-8])(?::?[0-5][0-9])?";
const TO_MINUTE = `${DATE}[T ][0-9]{2}:[0-9]{2}`;
const TO_SECOND = `${TO_MINUTE}:[0-9]{2}(?:\\.[0-9]+)?`;

/** BIGINT of `42`, `-7` or `42.0`; null for `1.5`, `abc`, `1e3` and what a BIGINT does not hold. */
export function wholeNumberText(source: string): string {
  const text = `trim(${source})`;
  return `CASE WHEN regexp_full_match(${text}, '${WHOLE_NUMBER}') THEN TRY_CAST(regexp_replace(${text}, '\\.0+$', '') AS BIGINT) END`;
}

/**
 * Ms of Unix time, floored, of ISO 8601 with date and time of day (`T` or a space between, fraction of any length),
 * `Z`, an offset (+08:00, +0800, +08), or neither, which is UTC; else null.
 */
export function timeText(source: string): string {
  const text = `trim(${source})`;
  const zoned = `CASE
    WHEN regexp_full_match(${text}, '${TO_SECOND}(?:Z|${OFFSET})') THEN ${text}
    WHEN regexp_full_match(${text}, '${TO_SECOND}') THEN ${text} || 'Z'
    WHEN regexp_full_match(${text}, '${TO_MINUTE}(?:Z|${OFFSET})?') THEN
      ${text}[:16] || ':00' || CASE WHEN length(${text}) = 16 THEN 'Z' ELSE ${text}[17:] END
  END`;
  const us = `epoch_us(TRY_CAST(${zoned} AS TIMESTAMPTZ))`;
  return `(${us} // 1000 - CAST(${us} % 1000 < 0 AS BIGINT))`;
}

/** Whether a text is a time that names no zone. */
export function isZonelessText(source: string): string {
  return `coalesce(regexp_full_match(trim(${source}), '${TO_MINUTE}(?::[0-9]{2}(?:\\.[0-9]+)?)?'), FALSE)`;
}
