import { sqlName, sqlText } from "./reading/sql-text.ts";

/**
 * Reading and keying, DuckDB's own way: rows of the lake become narrow rows with integer keys.
 * Everything after them is the portable SQL below sql/.
 */

/** The texts that all events of one connection usually share; together they are one `identity`. */
const IDENTITY_TEXTS = ["session_id", "user_id", "device_id", "client_type", "channel", "app_version", "region"];

const REJECTIONS = ["MISSING_FIELD", "INVALID_VALUE", "UNKNOWN_EVENT_TYPE", "PARTITION_MISMATCH"];
const FIELDS = ["event_id", "user_id", "session_id", "event_type", "server_time", "sequence", "session_epoch"];

const list = (texts: readonly string[]): string => texts.map(sqlText).join(", ");

/** Types of narrow rows. An ENUM takes one or two bytes where the text would take sixteen. */
export function typeStatements(eventTypes: readonly string[]): string[] {
  return [
    `create type event_type as enum (${list(eventTypes)})`,
    `create type rejection as enum (${list(REJECTIONS)})`,
    `create type field_name as enum (${list(FIELDS)})`,
  ];
}

/** The distinct identities of the admitted rows. */
export const IDENTITY_TEXTS_SELECT = `select distinct ${IDENTITY_TEXTS.join(", ")} from readings where reason is null`;

/** One row: whether any two identities share a hash, in which case rows must be matched by their texts. */
export const HASH_COLLISIONS = `select count(*) - count(distinct hash(${IDENTITY_TEXTS.join(", ")})) as collisions
  from identity_texts`;

/** Identities with integer keys. Which number a key gets differs from run to run; nothing depends on it. */
export const IDENTITIES_STATEMENT = `create table identities as
  with sessions as (
    select session_id, row_number() over () as no from (select distinct session_id from identity_texts)
  ),
  users as (select user_id, row_number() over () as no from (select distinct user_id from identity_texts)),
  devices as (
    select device_id, row_number() over () as no
    from (select distinct device_id from identity_texts where device_id is not null)
  )
  select
    cast(row_number() over () as integer) as identity_no,
    cast(s.no as integer) as session_no,
    cast(u.no as integer) as user_no,
    cast(d.no as integer) as device_no,
    hash(${IDENTITY_TEXTS.map((column) => `i.${column}`).join(", ")}) as identity_hash,
    ${IDENTITY_TEXTS.map((column) => `i.${column}`).join(", ")}
  from identity_texts i
  join sessions s on s.session_id = i.session_id
  join users u on u.user_id = i.user_id
  left join devices d on d.device_id = i.device_id`;

/**
 * Every row of the read window, narrow. `matchByText` compares all texts of an identity instead of one hash: slower,
 * for the case of a collision.
 */
export function keyedSelect(matchByText: boolean): string {
  const match = matchByText
    ? IDENTITY_TEXTS.map((column) => `i.${column} is not distinct from r.${column}`).join(" and ")
    : `i.identity_hash = hash(${IDENTITY_TEXTS.map((column) => `r.${column}`).join(", ")})`;
  return `select
    r.event_no, r.time_ms, i.identity_no, i.session_no, try_cast(r.event_type as event_type) as event_type, r.epoch,
    r.sequence, r.client_ms, r.last_active_ms, r.foreground, r.active, hash(r.event_id) as event_hash,
    cast(r.reason as rejection) as rejection, cast(r.detail as field_name) as field,
    cast(r.unread_options as utinyint) as unread_options
  from readings r
  left join identities i on ${match}`;
}

/** The views that the SQL below sql/ reads. */
export const KEYED_VIEWS = [
  `create view events as
  select event_no, identity_no, session_no, event_type, epoch, sequence, time_ms as server_ms, client_ms,
    last_active_ms, foreground, active, event_hash
  from keyed where rejection is null`,
  `create view rejected_readings as
  select event_no, cast(rejection as varchar) as reason, cast(field as varchar) as detail
  from keyed where rejection is not null`,
  "create view readings_seen as select event_no, time_ms, unread_options from keyed",
];

/** Candidates for R7: the rows whose event id's hash occurs more than once. */
export const REPEATED_CANDIDATES_STATEMENT = `create table repeated_candidates as
  with neighbours as (select event_hash, lag(event_hash) over (order by event_hash) as previous from events),
  repeated as (select distinct event_hash from neighbours where event_hash = previous)
  select e.event_no from events e semi join repeated r on r.event_hash = e.event_hash`;

/** All columns of the candidates. */
export const REPEATED_ROWS_SELECT = `select r.event_no, r.event_id, r.user_id, r.session_id, r.event_type, r.server_ms,
    r.epoch, r.sequence, r.device_id, r.client_type, r.channel, r.app_version, r.region, r.client_ms, r.last_active_ms,
    r.foreground, r.active
  from readings r
  where r.event_no in (select event_no from repeated_candidates)`;

/** The same with the order of the lake's other columns, of which `repeated_others` has `names`. */
export function repeatedEventsStatement(names: readonly string[]): string {
  const order = names.map((name) => `o.${sqlName(name)} nulls first`).join(", ");
  return names.length === 0
    ? "create table repeated_events as select r.*, cast(0 as bigint) as other_order from repeated_rows r"
    : `create table repeated_events as
  select r.*, dense_rank() over (partition by r.event_id order by ${order}) as other_order
  from repeated_rows r join repeated_others o on o.event_no = r.event_no`;
}

/** Event ids of the events whose order depends on them. */
export const TIED_IDS_SELECT = `select event_no, event_id from raw_events
  where event_no in (select event_no from tied_events)`;

/** The quarantined rows as the lake has them, with file and row. */
export const REJECTED_ROWS_SELECT = `select r.*, f.path as source_file, r.event_no % 4294967296 as source_row
  from raw_events r
  join source_files f on f.file_no = r.event_no // 4294967296
  where r.event_no in (select event_no from owned_verdicts)`;
