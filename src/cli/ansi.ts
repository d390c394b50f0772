import type { Io } from "./io.ts";

export interface Paint {
  bold(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

/** Colours for one of the two streams: none unless it is a terminal that wants them (NO_COLOR, TERM=dumb). */
export function paintFor(io: Io, stream: "stdout" | "stderr"): Paint {
  const on = io.isTTY[stream] && !io.env.NO_COLOR && io.env.TERM !== "dumb";
  const style = (code: number, end: number) => (text: string) => (on ? `\x1b[${code}m${text}\x1b[${end}m` : text);
  return { bold: style(1, 22), yellow: style(33, 39), red: style(31, 39) };
}

/**
 * One line of text whose control characters are written out: names of files and ids in a lake may hold anything, and must not
 * steer the terminal.
 */
export function printable(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
