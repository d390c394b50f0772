/** Makes SQL fail where two rows of a window's partition are equal in its order: what comes first is then left to chance. */

const CALL = /\b(?:row_number|lag|lead|min|max|sum|count)\s*\(/g;

/** The place after the parenthesis that closes the one before `start`. */
function closing(sql: string, start: number): number {
  let depth = 1;
  let at = start;
  while (depth > 0) {
    if (sql[at] === "(") depth++;
    if (sql[at] === ")") depth--;
    at++;
  }
  return at;
}

/** The SELECT with every ordered window guarded: `f(x) over (w)` fails on ties and is the same otherwise. */
export function withGuardedWindows(sql: string, onWindow: (order: string) => void = () => {}): string {
  let guarded = "";
  let done = 0;
  for (const match of sql.matchAll(CALL)) {
    if (match.index < done) continue;
    const called = closing(sql, match.index + match[0].length);
    const over = /^\s*over\s*\(/.exec(sql.slice(called));
    if (over === null) continue;
    const start = called + over[0].length;
    const end = closing(sql, start);
    const window = sql.slice(start, end - 1);
    if (!/\border by\b/.test(window)) continue;
    const order = window.replace(/\brows between[\s\S]*$/, "");
    onWindow(order);
    const call = sql.slice(match.index, end);
    const message = order.replaceAll(/\s+/g, " ").trim().replaceAll("'", "''");
    guarded += `${sql.slice(done, match.index)}case when count(*) over (${order} range between current row and current row) > 1
      then error('equal rows in: ${message}') else ${call} end`;
    done = end;
  }
  return guarded + sql.slice(done);
}
