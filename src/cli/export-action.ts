import { usageError } from "../errors.ts";
import * as value from "../plan/option-values.ts";
import type { ExportFormat, ExportOptions, ExportResult, ExportTarget } from "../usecases/export.ts";
import { paintFor, printable } from "./ansi.ts";
import { countOf } from "./format.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";
import { type Flags, named, needed, readMartOptions, reporting } from "./mart-options.ts";
import { withOutput } from "./output-file.ts";
import { namedByFlags } from "./period-flags.ts";

const readFormat = value.choice("csv", "ndjson", "arrow", "parquet");

/** `export`: hands a table's rows to stdout, a file or PostgreSQL. */
export async function exportAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  // Its --to is a target, not a day.
  const merged = readMartOptions({ ...flags, to: undefined }, io);
  const { values, days, out } = merged;
  const table = needed(flags.table as string | undefined, "table", "what to export", "--table user_daily");
  const period = namedByFlags(flags);
  const to = String(flags.to ?? "-");
  const json = values.json ?? false;
  if (json && to === "-") throw usageError("--json does not go with rows on stdout", "Name a file with --to.");
  const given = flags.metric === undefined ? null : named("metric", () => value.names(flags.metric, false));
  const options = { table, days, period, metrics: given, out, tempDir: values.tempDir ?? null };
  const database = isPostgres(to) ? { kind: "postgres" as const, ...databaseOf(to, flags, table) } : null;
  const format = database ? null : formatOf(flags, to, io);
  await reporting(merged, async () => {
    const { exportTable } = await import("../usecases/export.ts");
    signal.throwIfAborted();
    const run = (target: ExportTarget) =>
      exportTable(options satisfies ExportOptions, target, { nowMs: io.now(), signal, s3: merged.s3 });
    if (to === "-") {
      warnIncomplete(await run({ kind: "bytes", format: format!, write: (chunk) => io.pipe(chunk) }), io);
      return;
    }
    const result = database
      ? await run(database)
      : await withOutput(io, "--to", to, (write) =>
          run({ kind: "bytes", format: format!, write: (chunk) => write(chunk).then(() => true) }),
        );
    warnIncomplete(result, io);
    const place = database ? `PostgreSQL, table ${database.table}` : to;
    if (json) printJson(io, "export", { ...result, to: place });
    else io.stdout(`${countOf(result.rows, "row")} of ${table} written to ${printable(place)}\n`);
  });
}

const isPostgres = (to: string): boolean => /^postgres(ql)?:\/\//.test(to);

function formatOf(flags: Flags, to: string, io: Io): ExportFormat {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(to) ?? [];
  // Not quoted in full: it may hold a password.
  if (scheme !== undefined) {
    throw usageError(
      `--to ${scheme}://… is no target`,
      "Name a file, - for stdout, or postgres://user@host/database; other stores take what is piped into their tools.",
    );
  }
  if (flags.into !== undefined)
    throw usageError("--into goes with --to postgres://… only", "A file is named by --to itself.");
  const given = needed(flags.format, "format", "how to write the rows", "--format csv, ndjson, arrow or parquet");
  const format = named("format", () => readFormat(given, false));
  if (to === "-" && ["arrow", "parquet"].includes(format) && io.isTTY.stdout) {
    throw usageError(`--format ${format} is not for a terminal`, "Name a file with --to, or pipe it on.");
  }
  return format;
}

function databaseOf(url: string, flags: Flags, table: string): { url: string; table: string } {
  if (flags.format !== undefined) throw usageError("--format does not go with --to postgres://…", "Leave it out.");
  // Not quoted: it may hold a password.
  if (!URL.canParse(url)) throw usageError("--to is no URL of a database", "write postgres://user@host/database");
  const into = String(flags.into ?? table);
  if (!/^[^.]+(\.[^.]+)?$/.test(into)) throw usageError(`--into ${into} is no table`, "write table or schema.table");
  return { url, table: into };
}

function warnIncomplete({ parts }: ExportResult, io: Io): void {
  const paint = paintFor(io, "stderr");
  for (const date of new Set(parts.filter(({ complete }) => !complete).map((part) => part.date))) {
    io.stderr(`${paint.yellow("warning:")} ${date} is incomplete in the mart\n`);
  }
}
