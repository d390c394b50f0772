/** How a column of the contract is to be read. */
export type ColumnRole = "text" | "integer" | "time" | "boolean";

export interface EventColumn {
  /** snake_case, as in the contract. */
  readonly name: string;
  readonly role: ColumnRole;
  readonly needed: boolean;
  /** Names it may have in a file. */
  readonly spellings: readonly string[];
}

/** The contract's columns in its order, which is also the order of R7. */
export const EVENT_COLUMNS = [
  column("event_id", "text", true),
  column("user_id", "text", true),
  column("session_id", "text", true),
  column("event_type", "text", true),
  column("server_time", "time", true),
  column("sequence", "integer", true),
  column("session_epoch", "integer", false, ["epoch"]),
  column("device_id", "text", false),
  column("client_type", "text", false),
  column("channel", "text", false),
  column("app_version", "text", false),
  column("region", "text", false),
  column("client_time", "time", false),
  column("last_active_at", "time", false),
  column("foreground", "boolean", false),
  column("active", "boolean", false),
] as const;

export type EventColumnName = (typeof EVENT_COLUMNS)[number]["name"];

/** A name in snake_case: `eventId` → `event_id`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A name in camelCase: `event_id` → `eventId`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function column<Name extends string>(name: Name, role: ColumnRole, needed: boolean, aliases: readonly string[] = []) {
  const spellings = [...new Set([name, camelCase(name), ...aliases])];
  return { name, role, needed, spellings };
}
