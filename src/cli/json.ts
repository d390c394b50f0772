import type { Io } from "./io.ts";

/** The one JSON document of a command. `schema` names its shape; a change that breaks readers raises the number. */
export function printJson(io: Io, name: string, document: object): void {
  io.stdout(`${JSON.stringify({ schema: `presence-batch/${name}@1`, ...document }, null, 2)}\n`);
}
