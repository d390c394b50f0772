/** The relations that a file below sql/ says it reads, in its header. */
export function readsOf(sql: string): string[] {
  const [, reads = ""] = /^-- Reads: ((?:.*\n)(?:-- {3}.*\n)*)/m.exec(sql) ?? [];
  const names = reads.replaceAll(/\([^)]*\)|\n--/g, " ").replace(/\.\s*$/, "");
  return names.split(",").map((name) => name.trim());
}
