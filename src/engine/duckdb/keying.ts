import { sqlName, sqlText } from "./reading/sql-text.ts";

/**
 * Reading and keying, DuckDB's own way: rows of the lake become narrow rows with integer keys.
 * Everything after them is the portable SQL below sql/.
 */

/** The texts that all events of one connection usually share; together they are one `identity`. */
const IDENTITY_TEXTS = ["session_id", "user_id", "device_id", "client_type", "channel", "app_version", "region"];

/** What `readings` calls a fault. */
const FAULTS = [
  ...["event_id", "user_id", "session_id", "event_type", "server_time", "sequence"].map((it) => `MISSING_FIELD.${it}`),
  ...["server_time", "sequence", "session_epoch"].map((it) => `INVALID_VALUE.${it}`),
  "UNKNOWN_EVENT_TYPE",
  "PARTITION_MISMATCH",
];

const list = (texts: readonly string[]): string => texts.map(sqlText).join(", ");

/** Types of narrow rows. An ENUM takes one or two bytes where the text would take sixteen. */
export function typeStatements(eventTypes: readonly string[]): string[] {
  return [`create type event_type as enum (${list(eventTypes)})`, `create type fault as enum (${list(FAULTS)})`];
}

/** To match an event's type with the known ones then gives the narrow one. */
export const NARROW_EVENT_TYPES = "alter table known_event_types alter event_type type event_type";

/** The distinct identities of all rows: which of them are admitted would take every other column to tell. */
export const IDENTITY_TEXTS_SELECT = `select distinct ${IDENTITY_TEXTS.join(", ")} from raw_events
  where session_id is not null and user_id is not null`;

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
 * Every row of the read window, narrow. `byText` compares all texts of an identity instead of one hash: slower,
 * for the case of a collision.
 */
export function keyedSelect(byText: boolean): string {
  const match = byText
    ? IDENTITY_TEXTS.map((column) => `i.${column} is not distinct from r.${column}`).join(" and ")
    : `i.identity_hash = hash(${IDENTITY_TEXTS.map((column) => `r.${column}`).join(", ")})`;
  return `select
    r.event_no, r.time_ms, i.identity_no, i.session_no, r.event_type, r.epoch, r.sequence, r.client_ms,
    r.last_active_ms, r.foreground, r.active, hash(r.event_id) as event_hash, cast(r.fault as fault) as fault,
    cast(r.unread_options as utinyint) as unread_options
  from readings r
  left join identities i on ${match}`;
}

/** What the SQL below sql/ reads of the keyed rows. */
export const KEYED_RELATIONS = [
  `create view events as
  select event_no, identity_no, session_no, event_type, epoch, sequence, time_ms as server_ms, client_ms,
    last_active_ms, foreground, active
  from keyed where fault is null`,
  `create table rejected_readings as
  select event_no, time_ms, split_part(fault, '.', 1) as reason, nullif(split_part(fault, '.', 2), '') as detail
  from keyed where fault is not null`,
  "create view readings_seen as select event_no, time_ms, unread_options from keyed",
];

/** Relations that are views on the keyed rows, which are kept as long as one of these is read. */
export const ON_KEYED = ["events", "readings_seen"];

/** Candidates for R7: the rows whose event id's hash occurs more than once, whole, so that no other statement looks for them. */
export const REPEATED_CANDIDATES_STATEMENT = `create table repeated_candidates as
  with neighbours as (
    select event_hash, lag(event_hash) over (order by event_hash) as previous from keyed where fault is null
  ),
  repeated as (select distinct event_hash from neighbours where event_hash = previous)
  select k.* from keyed k semi join repeated r on r.event_hash = k.event_hash
  where k.fault is null`;

/** Of the candidates, those that agree in all but the lake's other columns: these decide which is kept. */
export const ALIKE_CANDIDATES_STATEMENT = `create table alike_candidates as
  select event_no from (
    select c.event_no, count(*) over (
        partition by c.event_hash, c.time_ms, c.identity_no, c.event_type, c.epoch, c.sequence, c.client_ms,
          c.last_active_ms, c.foreground, c.active
      ) as alike
    from repeated_candidates c
  ) where alike > 1`;

/** What R7 looks at of the candidates. `others`: the lake's other columns, by which the alike ones rank. */
export function repeatedEventsStatement(idOf: IdOf, others: readonly string[]): string {
  return `create table repeated_events as
  select c.event_no, ${idOf === "hash" ? "c.event_hash" : "x.event_id"} as event_id, i.user_id, i.session_id,
    cast(c.event_type as varchar) as event_type, c.time_ms as server_ms, c.epoch, c.sequence, i.device_id,
    i.client_type, i.channel, i.app_version, i.region, c.client_ms, c.last_active_ms, c.foreground, c.active,
    ${others.length === 0 ? "cast(0 as bigint)" : "coalesce(o.place, 0)"} as other_order
  from repeated_candidates c
  join identities i on i.identity_no = c.identity_no
  ${idOf === "hash" ? "" : "join candidate_ids x on x.event_no = c.event_no"}
  ${others.length === 0 ? "" : `left join (${otherPlaces(others)}) o on o.event_no = c.event_no`}`;
}

/** `hash`: equal hashes of event ids stand for equal ids, until the texts are read and compared. */
export type IdOf = "hash" | "text";

const otherPlaces = (names: readonly string[]): string => {
  const order = names.map((name) => `o.${sqlName(name)} nulls first`).join(", ");
  return `select o.event_no, dense_rank() over (order by ${order}) as place from alike_others o`;
};

/** One row: how many hashes of event ids stand for more than one id. */
export const ID_COLLISIONS = `select count(*) as collisions from (
  select c.event_hash from repeated_candidates c
  join wanted_rows r on r.event_no = c.event_no
  group by c.event_hash having count(distinct r.event_id) > 1
)`;

/** The rows whose texts are to be read from the lake at last: quarantined ones, and all whose ids only hashes compared. */
export const WANTED_STATEMENT = `create table wanted_numbers as
  select event_no from owned_verdicts union select event_no from repeated_candidates`;

/** The quarantined rows as the lake has them, with file and row. */
export const REJECTED_ROWS_STATEMENT = `create table rejected_rows as
  select r.*, f.path as source_file, r.event_no % 4294967296 as source_row
  from wanted_rows r
  join source_files f on f.file_no = r.event_no // 4294967296
  semi join owned_verdicts v on v.event_no = r.event_no`;
