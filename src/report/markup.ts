/** Text that is HTML or SVG already. Everything else is escaped where it is put in. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What a template takes: markup as it is, text and numbers escaped, lists one after the other, null as nothing. */
export type Content = Markup | string | number | null | readonly Content[];

/** Template tag of all HTML and SVG here: whatever an id or a file's name holds, it stays text. */
export function markup(texts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(String.raw({ raw: texts }, ...contents.map(render)));
}

function render(content: Content): string {
  if (content === null) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map(render).join("");
  return escapeText(String(content));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text for content and attributes of HTML and XML. What XML cannot hold, and what would turn the direction of the text around
 * it, is written out as `\u0000`.
 */
export function escapeText(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replace(
      /\p{Cc}|\p{Cs}|[\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
