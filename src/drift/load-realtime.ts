import { sqlText } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import { inputError } from "../errors.ts";
import type { LeftAside } from "./drift-result.ts";
import type { RealtimeShape } from "./realtime-columns.ts";
import { type RealtimeFile, readingRealtime } from "./realtime-file.ts";

/** A definition as the rows of a file name it; null where they name none. */
export interface Declared {
  readonly metric: string | null;
  readonly version: number | null;
}

/** What the file's rows say that they are of: definitions, each once. */
export async function declaredDefinitions(
  session: DuckDbSession,
  file: RealtimeFile,
  { metric, version }: RealtimeShape,
): Promise<Declared[]> {
  if (metric === null) return [];
  const rows = await readingRealtime(file.path, () =>
    session.rows(`select distinct ${metric} as metric, ${version ?? "null"} as version from ${file.from} order by all`),
  );
  const declared = rows.map((row) => declaredOf(row, file));
  return [...new Map(declared.map((each) => [JSON.stringify(each), each])).values()];
}

/** `foreground`, or with the version in the same column: `foreground@1`. */
function declaredOf(row: Row, { path }: RealtimeFile): Declared {
  if (row.metric === null) return { metric: null, version: null };
  const [name = "", inName] = String(row.metric).split("@");
  const version = inName ?? (row.version === null ? null : String(row.version));
  if (version !== null && !/^[1-9]\d*(\.0+)?$/.test(version)) {
    throw inputError(
      `${path} names version ${JSON.stringify(version)} of ${name}`,
      "Versions are whole numbers from 1.",
    );
  }
  return { metric: name, version: version === null ? null : Number(version) };
}

/** What of the file is compared. */
export interface Wanted {
  readonly day: string;
  readonly metric: string;
  readonly version: number;
  /** Of minutes: those that the mart knows, as ms, in relation `known_minutes(subject)`. */
  readonly minutes: boolean;
  /** Of a sorted set: which scores (last seen, ms of Unix time) mean online; null for all. */
  readonly scores: { readonly fromMs: number; readonly toMs: number } | null;
}

export interface Loaded {
  readonly rows: number;
  readonly leftAside: LeftAside;
}

const NAMED = 5;

/**
 * Makes `head_figures(subject, value, amount)` of the rows that are wanted. Amounts are whole ms, or users; finer ones are floored.
 * Exit 3 where a row has no subject or no amount that can be read, or where two rows are about the same.
 */
export async function loadRealtime(
  session: DuckDbSession,
  file: RealtimeFile,
  shape: RealtimeShape,
  wanted: Wanted,
): Promise<Loaded> {
  const dated =
    shape.date === null ? "true" : `(${shape.date} is null or left(${shape.date}, 10) = ${sqlText(wanted.day)})`;
  await readingRealtime(file.path, () =>
    session.run(`create table realtime_rows as
      select subject, value, amount_text, of_day, of_definition, ${THOUSANDTHS} as thousandths
      from (
        select ${shape.subject} as subject, ${shape.value} as value, ${shape.amount} as amount_text, ${dated} as of_day,
          ${ofDefinition(shape, wanted)} as of_definition
        from ${file.from}
      )`),
  );
  await session.run("create view own_rows as select * from realtime_rows where of_day and of_definition");
  await refuseUnreadable(session, file, shape);
  await session.run(`create table head_figures as
    select subject, value, ${amountSql(shape)} as amount from own_rows where ${placed(wanted)}`);
  await refuseDuplicates(session, file, shape);
  const [counts] = await session.rows(`select count(*) as rows, count(*) filter (not of_day) as other_dates,
      count(*) filter (of_day and not of_definition) as other_definitions,
      count(*) filter (of_day and of_definition) - (select count(*) from head_figures) as others
    from realtime_rows`);
  const others = Number(counts!.others);
  await session.run("drop view own_rows");
  await session.run("drop table realtime_rows");
  return {
    rows: Number(counts!.rows),
    leftAside: {
      otherDates: Number(counts!.other_dates),
      otherDefinitions: Number(counts!.other_definitions),
      otherMinutes: wanted.minutes ? others : 0,
      otherScores: wanted.scores ? others : 0,
    },
  };
}

function ofDefinition({ metric, version }: RealtimeShape, wanted: Wanted): string {
  if (metric === null) return "true";
  const [name, id] = [sqlText(wanted.metric), sqlText(`${wanted.metric}@${wanted.version}`)];
  const versioned =
    version === null ? "true" : `(${version} is null or try_cast(${version} as double) = ${wanted.version})`;
  return `(${metric} is null or ${metric} = ${id} or (${metric} = ${name} and ${versioned}))`;
}

/**
 * Thousandths of an amount's text, floored: exact, which no double is. Plain numbers are read digit by digit, since a cast to DECIMAL takes
 * a hundred times as long.
 */
const THOUSANDTHS = `case
    when regexp_full_match(amount_text, '[0-9]{1,15}(\\.[0-9]+)?') then
      cast(split_part(amount_text, '.', 1) as bigint) * 1000
        + cast(left(rpad(split_part(amount_text, '.', 2), 3, '0'), 3) as bigint)
    else try_cast(floor(try_cast(amount_text as decimal(38, 12)) * 1000) as bigint)
  end`;

/** Seconds or ms of Unix time: nothing of this century is below 10^11 ms. */
const SCORE_MS = "case when thousandths < 100000000000000 then thousandths else thousandths // 1000 end";

function amountSql({ scope, factor }: RealtimeShape): string {
  if (scope === "instant") return "cast(1 as bigint)";
  return factor === 1_000 ? "thousandths" : "thousandths // 1000";
}

function placed({ minutes, scores }: Wanted): string {
  if (minutes) return "subject in (select subject from known_minutes)";
  return scores === null ? "true" : `${SCORE_MS} > ${scores.fromMs} and ${SCORE_MS} <= ${scores.toMs}`;
}

async function refuseUnreadable(session: DuckDbSession, file: RealtimeFile, shape: RealtimeShape): Promise<void> {
  const what = { users: "user_id", instant: "user_id", minutes: "minute", dimensions: "dimension" }[shape.scope];
  const [nameless] = await session.rows("select count(*) as rows from own_rows where subject is null");
  if (Number(nameless!.rows) > 0) {
    throw inputError(
      `${file.path}: ${nameless!.rows} rows have no ${what} that can be read`,
      "Leave such rows out, or give them one: nothing is dropped silently.",
    );
  }
  const wrong = await session.rows(`select subject, value, amount_text, count(*) over () as rows from own_rows
    where thousandths is null or thousandths < 0 order by subject, value nulls first limit 1`);
  const [row] = wrong;
  if (!row) return;
  const said = row.amount_text === null ? "is empty" : `is ${JSON.stringify(row.amount_text)}`;
  const more = Number(row.rows) > 1 ? ` (and of ${Number(row.rows) - 1} more rows cannot be read)` : "";
  throw inputError(
    `${file.path}: ${shape.amountName} of ${what} ${told(row)} ${said}${more}`,
    "Amounts are numbers from 0.",
  );
}

async function refuseDuplicates(session: DuckDbSession, file: RealtimeFile, { scope }: RealtimeShape): Promise<void> {
  const subject =
    scope === "minutes" ? "strftime(make_timestamp_ms(cast(subject as bigint)), '%Y-%m-%dT%H:%M:%SZ')" : "subject";
  const twice = await session.rows(`
    select ${subject} as subject, value, rows, count(*) over () as subjects
    from (select subject, value, count(*) as rows from head_figures group by all having count(*) > 1)
    order by subject, value nulls first limit ${NAMED}`);
  if (twice.length === 0) return;
  const named = twice.map((row) => `${told(row)} (${row.rows} rows)`).join(", ");
  const more = Number(twice[0]!.subjects) - twice.length;
  throw inputError(
    `${file.path} has more than one row for ${named}${more > 0 ? ` and ${more} more` : ""}`,
    "Each needs one row of the day and definition: add them up, or say which is right.",
  );
}

const told = ({ subject, value }: Row): string => (value == null ? String(subject) : `${subject} ${value}`);
