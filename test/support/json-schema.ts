import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ROOT } from "../cli/fakes.ts";

export interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const FOLDER = join(ROOT, "src/cli/schemas");

/** The names of `--json` documents, `rebuild-plan`. */
export const SCHEMA_NAMES: readonly string[] = readdirSync(FOLDER).map((file) => file.replace(/\.schema\.json$/, ""));

export const schemaOf = (name: string): Schema =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.schema.json`), "utf8")) as Schema;

/** Readers must let new properties pass; here none may be that the schema does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  return { ...Object.fromEntries(entries), ...("required" in schema ? { additionalProperties: false } : {}) };
}

const validators = new Map(
  SCHEMA_NAMES.map((name) => [
    name,
    z.fromJSONSchema(closed(schemaOf(name)) as Parameters<typeof z.fromJSONSchema>[0]),
  ]),
);

/** What of a document is not as its schema says; empty where all is. */
export function schemaProblems(name: string, document: unknown): string {
  return validators.get(name)!.safeParse(document).error?.message ?? "";
}
