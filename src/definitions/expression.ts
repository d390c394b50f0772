import { didYouMean } from "../plan/suggest.ts";
import type { Expression } from "./definition.ts";

/** Wrong text of an `online` expression; `column` counts from 1 within the text. */
export class ExpressionError extends Error {
  readonly column: number;
  readonly hint: string | undefined;

  constructor(message: string, column: number, hint?: string) {
    super(`${message} at column ${column}`);
    this.column = column;
    this.hint = hint;
  }
}

interface Token {
  readonly kind: "name" | "not" | "and" | "or" | "(" | ")" | "end";
  readonly text: string;
  readonly column: number;
}

/** The operators of R18, from the one that binds most. No state may be called so. */
export const OPERATORS = ["not", "and", "or"] as const;

const MAX_LENGTH = 2_000;
const MAX_DEPTH = 100;
const NAME = /^[a-z][a-z0-9_]*$/;
const LEXEME = /\s+|[A-Za-z_][A-Za-z0-9_]*|[()]|./gsu;
const SPELLED_OTHERWISE: Readonly<Record<string, string>> = {
  "&": "and",
  "|": "or",
  "!": "not",
  "+": "and",
  ",": "and",
  "-": "and not",
  "~": "not",
};

/** Parses `not`, `and`, `or` (binding in this order), parentheses and state names (R18). Throws ExpressionError. */
export function parseExpression(text: string): Expression {
  if (text.length > MAX_LENGTH) throw new ExpressionError(`longer than ${MAX_LENGTH} characters`, MAX_LENGTH + 1);
  const tokens = tokenize(text);
  let position = 0;
  let depth = 0;
  const next = () => tokens[position]!;

  const chain = (op: "and" | "or", operand: () => Expression): Expression => {
    let left = operand();
    while (next().kind === op) {
      position++;
      left = { op, left, right: operand() };
    }
    return left;
  };
  const disjunction = (): Expression => chain("or", conjunction);
  const conjunction = (): Expression => chain("and", negation);
  const negation = (): Expression => {
    if (++depth > MAX_DEPTH) throw new ExpressionError(`nested more than ${MAX_DEPTH} deep`, next().column);
    const token = tokens[position++]!;
    const parsed = operandAfter(token);
    depth--;
    return parsed;
  };
  const operandAfter = (token: Token): Expression => {
    if (token.kind === "name") return { op: "state", name: token.text };
    if (token.kind === "not") return { op: "not", arg: negation() };
    if (token.kind !== "(") throw new ExpressionError(`a state is missing before ${shown(token)}`, token.column);
    const inner = disjunction();
    if (next().kind !== ")") {
      throw new ExpressionError(`expected and, or or ) before ${shown(next())}`, next().column);
    }
    position++;
    return inner;
  };

  const parsed = disjunction();
  if (next().kind === ")") throw new ExpressionError("a ) without its (", next().column);
  if (next().kind !== "end") throw new ExpressionError(`expected and or or before ${shown(next())}`, next().column);
  return parsed;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(LEXEME)) {
    const lexeme = match[0];
    const column = match.index + 1;
    if (/^\s/.test(lexeme)) continue;
    const keyword = OPERATORS.find((operator) => operator === lexeme);
    if (keyword) tokens.push({ kind: keyword, text: lexeme, column });
    else if (lexeme === "(" || lexeme === ")") tokens.push({ kind: lexeme, text: lexeme, column });
    else if (NAME.test(lexeme)) tokens.push({ kind: "name", text: lexeme, column });
    else throw unreadable(lexeme, column);
  }
  tokens.push({ kind: "end", text: "", column: text.length + 1 });
  return tokens;
}

function unreadable(lexeme: string, column: number): ExpressionError {
  if (/^[A-Za-z_]/.test(lexeme)) {
    const lower = lexeme.toLowerCase();
    return new ExpressionError(`${lexeme} is no name`, column, NAME.test(lower) ? `write ${lower}` : undefined);
  }
  const word = SPELLED_OTHERWISE[lexeme];
  return new ExpressionError(`unexpected ${JSON.stringify(lexeme)}`, column, word ? `write ${word}` : undefined);
}

function shown(token: Token): string {
  return token.kind === "end" ? "the end" : JSON.stringify(token.text);
}

/** The states that an expression names, in the order of their first use. */
export function usedStates(expression: Expression): ReadonlySet<string> {
  if (expression.op === "state") return new Set([expression.name]);
  if (expression.op === "not") return usedStates(expression.arg);
  return new Set([...usedStates(expression.left), ...usedStates(expression.right)]);
}

/** Throws ExpressionError at the first name that is not in `known`. */
export function checkNames(text: string, known: readonly string[]): void {
  for (const token of tokenize(text)) {
    if (token.kind !== "name" || known.includes(token.text)) continue;
    const hint = didYouMean(token.text, known) ?? `known here: ${known.join(", ")}`;
    throw new ExpressionError(`unknown state ${token.text}`, token.column, hint);
  }
}

/** Whether the expression holds where exactly the states of `on` are true. */
export function evaluate(expression: Expression, on: ReadonlySet<string>): boolean {
  switch (expression.op) {
    case "state":
      return on.has(expression.name);
    case "not":
      return !evaluate(expression.arg, on);
    case "and":
      return evaluate(expression.left, on) && evaluate(expression.right, on);
    case "or":
      return evaluate(expression.left, on) || evaluate(expression.right, on);
  }
}

const BINDING = { or: 1, and: 2, not: 3, state: 4 } as const;

/** The text with the fewest parentheses that parses to this very tree. */
export function printExpression(expression: Expression): string {
  const wrap = (part: Expression, least: number) =>
    BINDING[part.op] < least ? `(${printExpression(part)})` : printExpression(part);
  if (expression.op === "state") return expression.name;
  if (expression.op === "not") return `not ${wrap(expression.arg, BINDING.not)}`;
  const binding = BINDING[expression.op];
  // Chains lean to the left, so an equal operator on the right needs its parentheses.
  return `${wrap(expression.left, binding)} ${expression.op} ${wrap(expression.right, binding + 1)}`;
}
