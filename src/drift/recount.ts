import { DayEngine } from "../engine/duckdb/day-engine.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { EVERY_EVENT_A_POINT } from "../pipeline/every-event.ts";
import { columnStates, eventTypes, inputTables } from "../pipeline/inputs.ts";
import { loadSql } from "../pipeline/sql-files.ts";
import { type Step, stages } from "../pipeline/stages.ts";
import type { CountBasis, Variation } from "./variations.ts";

/** Of the day's own tables, what times of users are made of. */
const DAY_RELATIONS = ["day_spans", "user_spans"];

/** Each user's online time, in ms. */
const USER_TIMES = `select n.user_id, cast(sum(u.end_ms - u.start_ms) as bigint) as online_ms
  from user_spans u
  join (select user_no, min(user_id) as user_id from session_attributes group by user_no) n on n.user_no = u.user_no
  group by n.user_id`;

/** Makes `counted` in schema main: `reason`, `user_id`, `online_ms`. */
export async function prepareCounts(session: DuckDbSession): Promise<void> {
  await session.run("create table main.counted (reason varchar, user_id varchar, online_ms bigint)");
}

/** Counts the gathered rows as a rebuild does, but for the variation, and adds the users' times to `counted`. */
export async function countVariation(session: DuckDbSession, basis: CountBasis, variation: Variation): Promise<void> {
  await inSchema(session, async () => {
    await runStages(session, { ...basis, ...variation.basis }, variation, DAY_RELATIONS);
    await session.run(`insert into main.counted select '${variation.reason}', * from (${USER_TIMES})`);
  });
}

/** As `countVariation` with nothing left out, by the name of `own`; what is only a matter of adding up is then read by `work`. */
export async function countBasis<T>(session: DuckDbSession, basis: CountBasis, work: () => Promise<T>): Promise<T> {
  return inSchema(session, async () => {
    // Every event, so that each can be asked what it earned.
    await runStages(session, basis, { relations: EVERY_EVENT_A_POINT }, [
      ...DAY_RELATIONS,
      "session_ends",
      "device_daily",
    ]);
    await session.run(`insert into main.counted select 'own', * from (${USER_TIMES})`);
    return work();
  });
}

/** A schema of their own for the relations of a count, which have the same names in all. */
async function inSchema<T>(session: DuckDbSession, work: () => Promise<T>): Promise<T> {
  await session.run("create schema counting");
  await session.run("use counting");
  await session.run("create view gathered as select * from main.gathered");
  const result = await work();
  await session.run("use main");
  await session.run("drop schema counting cascade");
  return result;
}

async function runStages(
  session: DuckDbSession,
  { lake, settings, window, definition }: CountBasis,
  { tables = (own) => [...own], relations = {} }: Omit<Variation, "reason">,
  dayRelations: readonly string[],
): Promise<void> {
  const definitions = [definition];
  const engine = new DayEngine(session, {
    lake,
    tables: tables(inputTables(settings, window, definitions, "all")),
    eventTypes: eventTypes(settings),
    columnStates: columnStates(definitions),
  });
  await engine.prepare();
  for (const step of steps(settings, definitions, dayRelations)) {
    if (step.kind === "engine") {
      await engine.perform(step.task);
      continue;
    }
    const own = loadSql(step.file);
    const other = relations[step.relation];
    await engine.create(
      step.relation,
      other === undefined ? own : other(own),
      other && step.keep === "empty" ? "table" : step.keep,
    );
  }
}

function steps(
  settings: CountBasis["settings"],
  definitions: readonly CountBasis["definition"][],
  dayRelations: readonly string[],
): Step[] {
  return stages(settings, definitions).flatMap((stage) =>
    stage.name === "day"
      ? stage.steps.filter((step) => step.kind === "sql" && dayRelations.includes(step.relation))
      : stage.steps,
  );
}
