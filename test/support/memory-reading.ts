import { sqlName, sqlText } from "../../src/engine/duckdb/reading/sql-text.ts";
import type { LakeReading } from "../../src/engine/engine.ts";
import type { RawBoolean, RawEvent, RawNumber } from "../oracle/index.ts";

const text = (value: string | null): string =>
  value === null || value === "" ? "cast(null as varchar)" : sqlText(value);
const unread = (value: RawNumber | RawBoolean): boolean => typeof value === "object" && value !== null;
const number = (value: RawNumber): string =>
  value === null || typeof value === "object" ? "cast(null as bigint)" : `cast(${value} as bigint)`;
const boolean = (value: RawBoolean): string =>
  value === null || typeof value === "object" ? "cast(null as boolean)" : String(value);

/** The lake of a scenario as SQL text, without files: what a reading of it must come to. */
export function memoryReading(events: readonly RawEvent[]): LakeReading {
  const files = [...new Set(events.map((event) => event.file))].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  const eventNo = (event: RawEvent): string => `${BigInt(files.indexOf(event.file)) * 4294967296n + BigInt(event.row)}`;
  const rows = events.map((event) => {
    const v = event.values;
    return [
      `cast(${eventNo(event)} as bigint)`,
      `cast(${event.hourMs} as bigint)`,
      ...[v.event_id, v.user_id, v.session_id, v.event_type].map(text),
      ...[v.server_time, v.sequence, v.session_epoch].map(number),
      ...[v.device_id, v.client_type, v.channel, v.app_version, v.region].map(text),
      ...[v.client_time, v.last_active_at].map(number),
      ...[v.foreground, v.active].map(boolean),
      ...[v.server_time, v.sequence, v.session_epoch, v.client_time, v.last_active_at].map(unread),
      ...[v.foreground, v.active].map(unread),
    ].join(", ");
  });
  const columns =
    "event_no, hour_ms, event_id, user_id, session_id, event_type, server_ms, sequence, session_epoch, device_id, " +
    "client_type, channel, app_version, region, client_ms, last_active_ms, foreground, active, unread_server_time, " +
    "unread_sequence, unread_session_epoch, unread_client_time, unread_last_active_at, unread_foreground, unread_active";
  const others = [...new Set(events.flatMap((event) => Object.keys(event.values.others)))].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  const textColumns = (names: readonly string[]): string =>
    `select * from (values ${events
      .map((event) => {
        const values: Record<string, unknown> = { ...event.values, ...event.values.others };
        return `(${[`cast(${eventNo(event)} as bigint)`, ...names.map((name) => text(textOf(values[name])))].join(", ")})`;
      })
      .join(", ")}) as t(event_no, ${names.map(sqlName).join(", ")})`;
  return {
    rawEvents: `select * from (values ${rows.map((row) => `(${row})`).join(", ")}) as t(${columns})`,
    textColumns,
    otherColumns: others.length === 0 ? null : { select: textColumns(others), names: others },
    sourceFiles: files.map((path, fileNo) => ({ fileNo, path })),
  };
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === "object") return null;
  return String(value);
}
