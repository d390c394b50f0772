/** A string literal of Spark SQL: a backslash escapes, so it is escaped itself. */
export function sparkText(value: string): string {
  return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** A quoted identifier. */
export function sparkName(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}
