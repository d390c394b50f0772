import { readFileSync } from "node:fs";
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument, visit } from "yaml";
import { type PresenceError, usageError } from "../errors.ts";

export type KeyPath = readonly (string | number)[];

/** Something wrong with the value at `path`, told without file and key. */
export interface Problem {
  readonly path: KeyPath;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Where to point at, if not at `path` itself: a key that is missing has no line of its own. */
  readonly at?: KeyPath;
}

/** A YAML file of one mapping, and the line (1-based) of each of its keys. */
export interface YamlSource {
  readonly fileName: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** The line of the key at `path`, or of its nearest parent that is there. */
  line(path: KeyPath): number;
}

/** The text of a user's file; a usage error where it cannot be read or is not UTF-8. `what` names it in the message. */
export function readTextFile(path: string, shownAs: string, what: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    const reason = { ENOENT: "no such file", EISDIR: "it is a folder", EACCES: "permission denied" }[code] ?? code;
    throw usageError(`cannot read ${what} ${shownAs}: ${reason}`, undefined, { file: shownAs });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`${what} ${shownAs} is not UTF-8 text`, undefined, { file: shownAs });
  }
}

/** Parses a file that must be one mapping with text keys. Syntax errors, repeated keys and custom tags are usage errors. */
export function parseYaml(text: string, fileName: string): YamlSource {
  const lines = new LineCounter();
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: false });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const fault = doc.errors[0] ?? doc.warnings[0];
  if (fault?.code === "DUPLICATE_KEY") {
    const key = keyAt(doc.contents, fault.pos[0]);
    throw placed(fileName, lineAt(fault.pos[0]), key, "is given twice", "keep one of them");
  }
  if (fault) throw placed(fileName, lineAt(fault.pos[0]), undefined, `no valid YAML: ${fault.message}`);
  if (doc.contents !== null && !isMap(doc.contents)) {
    throw placed(
      fileName,
      lineAt(doc.contents.range[0]),
      undefined,
      "the file must hold keys and values, one `key: value` a line",
    );
  }
  const odd = oddKey(doc.contents);
  if (odd !== undefined) throw placed(fileName, lineAt(odd), undefined, "a key must be a plain text");
  let value: unknown;
  try {
    value = doc.toJS({ maxAliasCount: 20 }) ?? {};
  } catch (cause) {
    throw placed(fileName, 1, undefined, `no valid YAML: ${(cause as Error).message}`);
  }
  return {
    fileName,
    value: value as Record<string, unknown>,
    line: (path) => lineAt(offsetOf(doc.contents, path)),
  };
}

const OTHERS_SHOWN = 9;

/** Throws the first problem by line, what is missing coming last (it may just be misspelt), and names the others. */
export function throwProblems(source: YamlSource, problems: readonly Problem[]): void {
  const sorted = problems
    .map((problem) => ({ ...problem, line: source.line(problem.at ?? problem.path) }))
    .sort((a, b) => Number(isAbsent(source, a.path)) - Number(isAbsent(source, b.path)) || a.line - b.line);
  const [first, ...others] = sorted;
  if (!first) return;
  const seen = others.slice(0, OTHERS_SHOWN).map(({ line, path, message, hint }) => {
    const meant = hint?.startsWith("did you mean ") ? `, ${hint}` : "";
    return `line ${line} ${showPath(path)}: ${message}${meant}`;
  });
  if (others.length > seen.length) seen.push("…");
  const more = others.length ? ` (${others.length} more: ${seen.join("; ")})` : "";
  throw placed(source.fileName, first.line, showPath(first.path), `${first.message}${more}`, first.hint);
}

function isAbsent(source: YamlSource, path: KeyPath): boolean {
  let value: unknown = source.value;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return true;
    value = (value as Record<string | number, unknown>)[part];
  }
  return false;
}

/** `gap.max`, `states.busy.equals[1]`. */
export function showPath(path: KeyPath): string {
  return path.reduce<string>(
    (shown, part) => (typeof part === "number" ? `${shown}[${part}]` : `${shown}${shown && "."}${showKey(part)}`),
    "",
  );
}

function showKey(key: string): string {
  return /^[\w@+-]+$/.test(key) ? key : JSON.stringify(key);
}

function placed(file: string, line: number, key: string | undefined, message: string, hint?: string): PresenceError {
  const shown = key ? `${key}: ${message}` : message;
  return usageError(`${file}:${line}: ${shown}`, hint, { file, line, ...(key ? { key } : {}) });
}

function offsetOf(root: ParsedNode | null, path: KeyPath): number {
  let offset = 0;
  let node: Node | null = root;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part));
      if (!pair) break;
      offset = (pair.key as ParsedNode).range[0];
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)] as ParsedNode | undefined;
      if (!item) break;
      offset = item.range[0];
      node = item;
    } else break;
    // What an alias stands for is written elsewhere: point at the alias.
    if (isAlias(node)) break;
  }
  return offset;
}

/** The offset of the first key that is a list, a mapping or an alias. */
function oddKey(root: ParsedNode | null): number | undefined {
  let found: number | undefined;
  if (root === null) return found;
  visit(root, {
    Pair(_, pair) {
      if (isScalar(pair.key)) return undefined;
      found = (pair.key as ParsedNode | null)?.range[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

function keyAt(root: ParsedNode | null, offset: number): string | undefined {
  let found: string | undefined;
  if (root === null) return found;
  visit(root, {
    Pair(_, pair, ancestors) {
      if ((pair.key as ParsedNode | null)?.range?.[0] !== offset) return undefined;
      const parents = ancestors.flatMap((node) =>
        "key" in node && isScalar(node.key) ? [String(node.key.value)] : [],
      );
      found = showPath([...parents, String(pair.key)]);
      return visit.BREAK;
    },
  });
  return found;
}
