import type { ReadableFile } from "../duckdb/reading/scan-groups.ts";
import type { ColumnState, EngineTask } from "../engine.ts";
import type { JobScan, JobStep } from "./job.ts";
import { sortColumns, textColumn } from "./other-columns.ts";
import type { LakeSelect } from "./raw-events.ts";
import { sparkText } from "./spark-text.ts";

/**
 * Keying, Spark's own way: no global sort and no window over all rows. A key is the number that Spark gives a row of a distinct list;
 * since another try of a task may give another, lists are written before they are read.
 */

type KeyStep = Omit<JobStep, "stage">;

export interface TaskSteps {
  readonly scans: readonly JobScan[];
  readonly steps: readonly KeyStep[];
}

/** What the engine's own tasks start from. */
export interface LakeOnSpark {
  readonly raw: LakeSelect;
  readonly files: readonly ReadableFile[];
  /** Names of the lake's columns beside the contract's. */
  readonly otherColumns: readonly string[];
  readonly columnStates: readonly ColumnState[];
}

/** The texts that all events of one connection usually share; together they are one `identity`. */
const IDENTITY_TEXTS = ["session_id", "user_id", "device_id", "client_type", "channel", "app_version", "region"];

const table = (relation: string, sql: string): KeyStep => ({ relation, sql, keep: "table" });
const view = (relation: string, sql: string): KeyStep => ({ relation, sql, keep: "view" });
const only = (...steps: KeyStep[]): TaskSteps => ({ scans: [], steps });

/** The steps by which Spark does an engine's task. */
export function taskSteps(task: EngineTask, lake: LakeOnSpark): TaskSteps {
  switch (task) {
    case "read":
      return { scans: lake.raw.scans, steps: [view("raw_events", lake.raw.select)] };
    case "key":
      return only(...keySteps());
    case "repeated-events":
      return repeatedEvents(lake);
    case "tied-ids":
      return only(
        view(
          "tied_ids",
          "select r.event_no, r.event_id from raw_events r semi join tied_events t on t.event_no = r.event_no",
        ),
      );
    case "state-values":
      return stateValues(lake);
    case "rejected-rows":
      return only(
        view(
          "rejected_rows",
          `select r.*, f.path as source_file, r.event_no % 4294967296 as source_row
from raw_events r
join source_files f on f.file_no = r.event_no div 4294967296
semi join owned_verdicts v on v.event_no = r.event_no`,
        ),
      );
  }
}

const distinctNumbers = (relation: string, column: string): KeyStep =>
  table(
    relation,
    `select ${column}, monotonically_increasing_id() as no
from (select distinct ${column} from identity_texts where ${column} is not null)`,
  );

/** Hashes decide which identity a row has; of several identities of one hash, which are hardly ever any, the texts. */
function keySteps(): KeyStep[] {
  const texts = IDENTITY_TEXTS.join(", ");
  const of = (alias: string) => IDENTITY_TEXTS.map((column) => `${alias}.${column}`).join(", ");
  // A hash passes over nulls, so that the same text in another column would be the same; no text is empty.
  const hash = (alias: string) =>
    `xxhash64(${IDENTITY_TEXTS.map((column) => `coalesce(${alias}.${column}, '')`).join(", ")})`;
  const same = IDENTITY_TEXTS.map((column) => `c.${column} <=> r.${column}`).join(" and ");
  return [
    table("identity_texts", `select distinct ${texts} from readings where fault is null`),
    distinctNumbers("session_numbers", "session_id"),
    distinctNumbers("user_numbers", "user_id"),
    distinctNumbers("device_numbers", "device_id"),
    table(
      "numbered_identities",
      `select monotonically_increasing_id() as identity_no, s.no as session_no, u.no as user_no, d.no as device_no,
  ${hash("i")} as identity_hash, ${of("i")}
from identity_texts i
join session_numbers s on s.session_id = i.session_id
join user_numbers u on u.user_id = i.user_id
left join device_numbers d on d.device_id = i.device_id`,
    ),
    table(
      "colliding_hashes",
      "select identity_hash from numbered_identities group by identity_hash having count(*) > 1",
    ),
    view("identities", "select * from numbered_identities"),
    table(
      "keyed",
      `select /*+ broadcast(c) */ r.event_no, r.time_ms, coalesce(i.identity_no, c.identity_no) as identity_no,
  coalesce(i.session_no, c.session_no) as session_no, r.event_type, r.epoch, r.sequence, r.client_ms, r.last_active_ms,
  r.foreground, r.active, xxhash64(r.event_id) as event_hash, r.fault, r.unread_options
from readings r
left join (
  select n.* from numbered_identities n left anti join colliding_hashes k on k.identity_hash = n.identity_hash
) i on i.identity_hash = ${hash("r")}
left join (
  select n.* from numbered_identities n semi join colliding_hashes k on k.identity_hash = n.identity_hash
) c on c.identity_hash = ${hash("r")} and ${same}`,
    ),
    view(
      "events",
      `select event_no, identity_no, session_no, event_type, epoch, sequence, time_ms as server_ms, client_ms, last_active_ms,
  foreground, active
from keyed where fault is null`,
    ),
    view(
      "rejected_readings",
      `select event_no, time_ms, split_part(fault, '.', 1) as reason, nullif(split_part(fault, '.', 2), '') as detail
from keyed where fault is not null`,
    ),
    view("readings_seen", "select event_no, time_ms, unread_options from keyed"),
  ];
}

/** Candidates by the hashes of event ids; their ids are compared as they are. The lake's other columns rank those alike in all else. */
function repeatedEvents({ files, otherColumns }: LakeOnSpark): TaskSteps {
  const others = otherColumns.length === 0 ? null : sortColumns(files, otherColumns);
  const order = otherColumns.map((_, index) => `o.other_${index} nulls first`).join(", ");
  const steps = [
    table(
      "repeated_candidates",
      `select k.event_no from keyed k
semi join (select event_hash from keyed where fault is null group by event_hash having count(*) > 1) h
  on h.event_hash = k.event_hash
where k.fault is null`,
    ),
    view(
      "candidate_ids",
      "select r.event_no, r.event_id from raw_events r semi join repeated_candidates c on c.event_no = r.event_no",
    ),
    view(
      "alike_candidates",
      `select event_no from (
  select k.event_no, count(*) over (
    partition by k.event_hash, k.time_ms, k.identity_no, k.event_type, k.epoch, k.sequence, k.client_ms,
      k.last_active_ms, k.foreground, k.active
  ) as alike
  from keyed k semi join repeated_candidates c on c.event_no = k.event_no
) where alike > 1`,
    ),
    view(
      "other_places",
      others === null
        ? "select cast(null as bigint) as event_no, cast(null as bigint) as place where false"
        : `select k.event_no, dense_rank() over (partition by k.event_hash order by ${order}) as place
from (${others.select}) o
semi join alike_candidates c on c.event_no = o.event_no
join keyed k on k.event_no = o.event_no`,
    ),
    table(
      "repeated_events",
      `select k.event_no, x.event_id, i.user_id, i.session_id, k.event_type, k.time_ms as server_ms, k.epoch, k.sequence,
  i.device_id, i.client_type, i.channel, i.app_version, i.region, k.client_ms, k.last_active_ms, k.foreground, k.active,
  cast(coalesce(o.place, 0) as bigint) as other_order
from keyed k
join identities i on i.identity_no = k.identity_no
join candidate_ids x on x.event_no = k.event_no
left join other_places o on o.event_no = k.event_no`,
    ),
  ];
  return { scans: others?.scans ?? [], steps };
}

function stateValues({ files, columnStates }: LakeOnSpark): TaskSteps {
  const texts = columnStates.map(({ column }, index) => textColumn(`texts_${index}`, files, column));
  const selects = columnStates.map(({ metricNo, stateBit, equals }, index) => {
    const values = equals.map(sparkText).join(", ");
    return `select cast(${metricNo} as int) as metric_no, cast(${stateBit} as bigint) as state_bit, t.event_no,
  t.value in (${values}) as is_on
from (${texts[index]!.select}) t
where t.value is not null`;
  });
  const none =
    "select cast(null as int) as metric_no, cast(null as bigint) as state_bit, cast(null as bigint) as event_no, cast(null as boolean) as is_on where false";
  return {
    scans: texts.flatMap(({ scans }) => scans),
    steps: [view("state_values", selects.length > 0 ? selects.join("\nunion all\n") : none)],
  };
}
