import type { ExportValue } from "./columns.ts";

/** `2026-07-29T12:00:00.000Z` of ms of Unix time; null stays null. */
export const isoTime = (value: ExportValue): string | null =>
  value === null ? null : new Date(Number(value)).toISOString();
