import type { ClientCount, QuarantineReport, RawRow, Told } from "../quarantine/report.ts";
import { type Paint, printable } from "./ansi.ts";
import { bytes, count, countOf, share } from "./format.ts";
import { type Column, table } from "./table.ts";
import { wrap } from "./wrap.ts";

const COLUMNS: readonly Column[] = [
  { title: "reason", align: "left" },
  { title: "rule", align: "left" },
  { title: "events", align: "right" },
  { title: "share", align: "right" },
  { title: "mostly from", align: "left" },
];
const MIN_WIDTH = 100;
const MAX_FILES = 20;
const LABEL_WIDTH = 10;

/** A day's quarantine for people: the table, then what each reason means, what to do, and examples. */
export function quarantineText(report: QuarantineReport, reason: string | null, paint: Paint, columns: number): string {
  const width = Math.max(columns, MIN_WIDTH);
  const { day, owned, quarantined, runId, reasons, sessions, files, clients } = report;
  const lines = [
    paint.bold(
      `${day}: ${count(quarantined)} of ${countOf(owned, "event")} quarantined (${share(quarantined, owned)}) by run ${runId}`,
    ),
    "",
  ];
  if (reasons.length > 0) {
    const rows = reasons.map((each) => [
      each.reason,
      each.rule,
      count(each.events),
      share(each.events, owned),
      printable(clientTexts(each.clients.slice(0, 2), each.events)),
    ]);
    lines.push(table(COLUMNS, rows, paint));
  }
  if (clients.length > 1 && reasons.length > 1) {
    const all = reasons.reduce((sum, { events }) => sum + events, 0);
    lines.push(...labelled("clients", clientTexts(clients, all), width), "");
  }
  for (const each of reasons) {
    lines.push(
      ...toldLines(each, `${countOf(each.events, "event")}, ${share(each.events, owned)} of the day's`, width, paint),
      ...labelled("clients", clientTexts(each.clients, each.events), width),
      ...detailLines(each.details, each.events, width),
      ...exampleLines(each.examples, width),
      "",
    );
  }
  for (const each of sessions) {
    const what = `${countOf(each.sessions, "session")} under ${each.metric}@${each.version}`;
    lines.push(...toldLines(each, what, width, paint), ...exampleLines(each.examples, width), "");
  }
  for (const each of files.slice(0, MAX_FILES)) {
    lines.push(
      ...toldLines(each, `${each.path}, ${bytes(each.bytes)}`, width, paint),
      ...labelled("found", each.detail ?? "", width),
      "",
    );
  }
  if (files.length > MAX_FILES) lines.push(`… and ${countOf(files.length - MAX_FILES, "more file")}: see --json`, "");
  if (reasons.length + sessions.length + files.length === 0) {
    lines.push(reason === null ? "nothing was quarantined" : `nothing was quarantined as ${reason}`);
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function toldLines(told: Told, what: string, width: number, paint: Paint): string[] {
  return [
    paint.bold(printable(`${told.reason} [${told.rule}]: ${what}`)),
    ...labelled("means", told.means, width),
    ...labelled("do", told.todo, width),
  ];
}

function clientTexts(clients: readonly ClientCount[], events: number): string {
  return clients
    .map(
      (client) =>
        `${[client.clientType, client.appVersion].filter(Boolean).join(" ") || "unknown"} ${share(client.events, events)}`,
    )
    .join(", ");
}

function detailLines(details: QuarantineReport["reasons"][number]["details"], events: number, width: number): string[] {
  const named = details.filter(({ detail }) => detail !== null);
  if (named.length === 0) return [];
  return labelled("detail", named.map((each) => `${each.detail} ${share(each.events, events)}`).join(", "), width);
}

/** Raw events, a paragraph each: what is not null, as `column=value`. */
function exampleLines(examples: readonly RawRow[], width: number): string[] {
  return examples.flatMap((row) => {
    const { reason: _, detail: __, ...columns } = row;
    const pairs = Object.entries(columns).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
    return labelled("example", pairs.join(" "), width);
  });
}

function labelled(label: string, text: string, width: number): string[] {
  if (text === "") return [];
  return wrap(printable(text), width - LABEL_WIDTH - 2).map(
    (line, i) => `  ${(i === 0 ? label : "").padEnd(LABEL_WIDTH)}${line}`,
  );
}
