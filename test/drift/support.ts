import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandIn, type Ran } from "../explain/workplace.ts";
import { LakeBuilder } from "../oracle/build.ts";
import { build, type RebuildChanges, tempFolder, writeRows } from "../support/lake-on-disk.ts";

export const DAY = "2024-01-15";

/** A folder with a `lake` and its `mart`, in which real commands run. */
export interface DriftPlace {
  readonly folder: string;
  /** Writes a file and gives its name. */
  write(name: string, text: string): string;
  /** `drift` of the day against the mart; `more` are further words of the command line. */
  drift(file: string, ...more: string[]): Promise<Ran>;
  /** The `--json` document of `drift`. */
  // biome-ignore lint/suspicious/noExplicitAny: the document's shape is its schema's matter
  json(file: string, ...more: string[]): Promise<any>;
  command(...args: string[]): Promise<Ran>;
}

export async function driftPlace(lake: LakeBuilder, changes: RebuildChanges = {}): Promise<DriftPlace> {
  const folder = tempFolder();
  await writeRows(lake.events, join(folder, "lake"));
  await build(join(folder, "lake"), join(folder, "mart"), changes);
  const command = (...args: string[]) => commandIn(folder, args);
  const drift = (file: string, ...more: string[]) => {
    const day = more.includes("--at") ? [] : ["--date", changes.date ?? DAY];
    return command("drift", ...day, "--realtime", file, "--out", "mart", ...more);
  };
  return {
    folder,
    write: (name, text) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), text);
      return name;
    },
    drift,
    json: async (file, ...more) => {
      const { code, stdout, stderr } = await drift(file, "--json", ...more);
      if (stdout === "") throw new Error(`exit ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    command,
  };
}

/** Users with as many seconds online each, in one closed session from 10:00. */
export function usersOnline(seconds: Readonly<Record<string, number>>): LakeBuilder {
  const lake = new LakeBuilder();
  const start = Date.UTC(2024, 0, 15, 10);
  for (const [user, length] of Object.entries(seconds)) {
    const values = { user_id: user, session_id: `s-${user}`, device_id: `d-${user}`, client_type: "web" };
    lake.add(start, "SESSION_START", values);
    for (let t = 90; t < length; t += 90) lake.add(start + t * 1000, "HEARTBEAT", values);
    lake.add(start + length * 1000, "SESSION_CLOSE", values);
  }
  return lake;
}
