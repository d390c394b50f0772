/**
 * Statements that every connection that reads a lake runs first. The machine's TZ must not matter. DuckDB's cache of
 * file contents is off, since it goes on serving the old bytes of a file that was replaced within the second.
 */
export const READING_STATEMENTS = ["SET TimeZone = 'UTC'", "SET enable_external_file_cache = false"] as const;
