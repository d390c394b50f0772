import { findColumn, sortType } from "../duckdb/reading/other-columns.ts";
import type { ReadableFile } from "../duckdb/reading/scan-groups.ts";
import { columnText } from "./column-text.ts";
import type { LakeSelect } from "./raw-events.ts";
import { EVENT_NO, plannedScans } from "./scan-set.ts";
import { sparkType } from "./stored-type.ts";

/** `event_no` and one column as text, `value` (R17), null where a file lacks it. `name`: unique to the job. */
export function textColumn(name: string, files: readonly ReadableFile[], column: string): LakeSelect {
  return selectColumns(
    name,
    files,
    [column],
    () => "VARCHAR",
    () => "value",
  );
}

/**
 * `event_no` and these lake columns as `other_0` and so on, to sort by (R7): of the type that all files have, else text. What Spark is not
 * asked for (lists, structs, times of day) has no part in the order here, so that of rows equal in all else another may be kept.
 */
export function sortColumns(files: readonly ReadableFile[], names: readonly string[]): LakeSelect {
  return selectColumns(
    "others",
    files,
    names,
    (name) => sortType(name, files),
    (index) => `other_${index}`,
  );
}

function selectColumns(
  relation: string,
  files: readonly ReadableFile[],
  names: readonly string[],
  typeOf: (name: string) => string,
  nameOf: (index: number) => string,
): LakeSelect {
  const wanted = names.map((name) => sparkType({ type: typeOf(name) }) ?? "string");
  const planOf = (file: ReadableFile) =>
    names.map((name) => {
      const found = findColumn(file, name);
      const type = found === undefined || found.type === "NULL" ? null : sparkType(found);
      return found && type !== null ? { name: found.name, type } : null;
    });
  const scans = plannedScans(relation, files, planOf, (plan) => plan.filter((column) => column !== null));
  const selects = scans.map(({ plan, scan, column }) => {
    const values = plan.map((found, index) => {
      const type = wanted[index]!;
      if (found === null) return `cast(null as ${type}) as ${nameOf(index)}`;
      const source = column(found.name);
      return `${type === "string" ? columnText(source, found.type) : source} as ${nameOf(index)}`;
    });
    return `select ${[`${EVENT_NO} as event_no`, ...values].join(", ")} from ${scan.relation}`;
  });
  const nothing = names.map((_, index) => `cast(null as ${wanted[index]}) as ${nameOf(index)}`);
  return {
    scans: scans.map(({ scan }) => scan),
    select:
      selects.length > 0
        ? selects.join("\nunion all\n")
        : `select ${["cast(null as bigint) as event_no", ...nothing].join(", ")} where false`,
  };
}
