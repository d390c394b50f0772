import type { RawValues, Text } from "../oracle/types.ts";
import type { Scenario } from "./scenario.ts";

/**
 * Scenarios that differ in their lakes only as one, in which each lake's people, sessions, devices and event ids are its own:
 * nothing of one can touch another, so that one run counts them all.
 */
export function merge(scenarios: readonly Scenario[]): Scenario {
  const files = scenarios.flatMap((scenario, index) =>
    scenario.lake.files.map((file) => ({
      ...file,
      name: `${index}-${file.name}`,
      rows: file.rows.map((row) => apart(row, `${index}.`)),
    })),
  );
  const used = new Set(files.map(({ hourMs }) => hourMs));
  const [first] = scenarios;
  const emptyHours = first!.lake.emptyHours.filter((hour) => !used.has(hour));
  return { ...first!, lake: { files, emptyHours } };
}

function apart(row: RawValues, prefix: string): RawValues {
  const own = (id: Text): Text => (id === null || id === "" ? id : prefix + id);
  return {
    ...row,
    event_id: own(row.event_id),
    user_id: own(row.user_id),
    session_id: own(row.session_id),
    device_id: own(row.device_id),
  };
}
