import type { Part, Parts } from "./commit.ts";

/** What of a run's parts is still to be committed, or which of them another run has published meanwhile. */
export type Merged =
  | { readonly kind: "commit"; readonly parts: Parts; readonly changed: readonly string[] }
  | { readonly kind: "nothing" }
  | { readonly kind: "outrun"; readonly parts: readonly string[] };

/**
 * Puts a run's parts on top of the head, as it is now. `base` is the head that the run saw when it was planned: a part that has
 * changed since was published by another run. Where that one read the same, there is nothing left to do for the part; where it
 * read something else, this run may be the older one and must not win. `damaged` parts of the base are replaced in any case.
 */
export function mergeParts(own: Parts, base: Parts, head: Parts, damaged: ReadonlySet<string> = new Set()): Merged {
  const outrun: string[] = [];
  const changed: string[] = [];
  for (const [name, part] of Object.entries(own)) {
    const [before, now] = [base[name], head[name]];
    const meanwhile = now !== undefined && now.run !== before?.run;
    if (!meanwhile) {
      if (now === undefined || damaged.has(name) || !sameResult(part, now)) changed.push(name);
    } else if (!sameSource(part, now)) outrun.push(name);
  }
  if (outrun.length > 0) return { kind: "outrun", parts: outrun };
  if (changed.length === 0) return { kind: "nothing" };
  const parts = { ...head, ...Object.fromEntries(changed.map((name) => [name, own[name]!])) };
  return { kind: "commit", parts, changed };
}

/** Built from the same inputs by the same rules. */
export function sameSource(a: Part, b: Part): boolean {
  return a.inputs === b.inputs && a.rules === b.rules && a.eventTypes.join() === b.eventTypes.join();
}

/** Nothing to record: the same source and the same files. */
function sameResult(a: Part, b: Part): boolean {
  return sameSource(a, b) && a.complete === b.complete && fileList(a) === fileList(b);
}

const fileList = ({ files }: Part): string =>
  files
    .map(({ path, bytes, sha256 }) => `${path} ${bytes} ${sha256}`)
    .sort()
    .join("\n");
