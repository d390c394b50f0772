import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../src/cli/io.ts";
import { run } from "../../src/cli/run.ts";
import { ROOT } from "../cli/fakes.ts";
import { HAND_MADE, hoursAround } from "./hand-made.ts";
import { writePlainLake } from "./plain-lake.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with the hand-made `lake` of every verdict and the `mart` of its day, in which real commands run. */
export interface Workplace {
  readonly folder: string;
  command(...args: string[]): Promise<Ran>;
  remove(): void;
}

export const EVENTS = HAND_MADE.find(({ name }) => name === "every-verdict")!.lake.events;

export async function workplace(): Promise<Workplace> {
  const folder = mkdtempSync(join(tmpdir(), "explain-command-"));
  const place: Workplace = {
    folder,
    command: (...args) => commandIn(folder, args),
    remove: () => rmSync(folder, { recursive: true }),
  };
  symlinkSync(join(ROOT, "fixtures"), join(folder, "fixtures"));
  await writePlainLake(EVENTS, hoursAround(EVENTS), join(folder, "lake"));
  const flags = [
    "--date",
    "2024-01-15",
    "--lake",
    "lake",
    "--out",
    "mart",
    "--tz",
    "UTC",
    "--metric",
    "connected,foreground",
  ];
  const built = await place.command("rebuild", ...flags);
  if (built.code !== 0) throw new Error(built.stderr);
  return place;
}

/** Runs a command line in this process, in a folder. */
export async function commandIn(folder: string, args: readonly string[], io: Partial<Io> = {}): Promise<Ran> {
  const told = { stdout: "", stderr: "" };
  const code = await run(args, {
    stdout(text) {
      told.stdout += text;
    },
    stderr(text) {
      told.stderr += text;
    },
    async pipe(chunk) {
      told.stdout += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("latin1");
      return true;
    },
    env: {},
    cwd: folder,
    isTTY: { stdout: false, stderr: false },
    columns: 80,
    now: () => Date.UTC(2030, 0, 1),
    version: () => ({ tool: "0", engine: "0", rules: 0, timeZoneData: "0" }),
    ...io,
  });
  return { code, ...told };
}
