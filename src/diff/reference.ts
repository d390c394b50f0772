import { usageError } from "../errors.ts";
import { isDefinitionPath } from "../plan/option-values.ts";

/** What one side of a comparison is asked for as; null where it is left to the other options. */
export interface Reference {
  readonly asked: string;
  /** Another mart than --out. */
  readonly mart: string | null;
  /** `name` or `name@version`. */
  readonly metric: string | null;
  readonly commit: number | null;
  /** A definition's file: counted from the lake. */
  readonly file: string | null;
}

const DEFINITION = /^[a-z][a-z0-9-]*(@[1-9]\d{0,9})?$/;

/**
 * `foreground@2` (a definition), `./new.yaml` (a definition's file), `3` (a commit of the one date), `/data/other-mart` or
 * `s3://…` (a mart), and a mart with its definition behind `#`. A folder that could be a definition is written `./name`.
 */
export function parseReference(asked: string): Reference {
  const none = { asked, mart: null, metric: null, commit: null, file: null };
  if (/^[1-9]\d{0,9}$/.test(asked)) return { ...none, commit: Number(asked) };
  if (DEFINITION.test(asked)) return { ...none, metric: asked };
  if (/\.ya?ml$/i.test(asked)) return { ...none, file: asked };
  const hash = asked.lastIndexOf("#");
  const [mart, metric] = hash < 0 ? [asked, null] : [asked.slice(0, hash), asked.slice(hash + 1)];
  if (mart === "" || !isDefinitionPath(mart) || (metric !== null && !DEFINITION.test(metric))) {
    throw usageError(`${JSON.stringify(asked)} is nothing that can be compared`, REFERENCES);
  }
  return { ...none, mart, metric };
}

const REFERENCES =
  "write a definition (foreground@2), its file (./new.yaml), a commit's number, a mart (./mart), or a mart's definition (./mart#foreground@2)";
