import { PresenceError } from "../../../src/errors.ts";

/** The usage error (exit 2) that an action ends in: message and hint in one text. Fails where it ends otherwise. */
export function usageFault(action: () => unknown): { text: string; error: PresenceError } {
  try {
    action();
  } catch (error) {
    if (!(error instanceof PresenceError) || error.exitCode !== 2) throw error;
    return { text: [error.message, error.hint].filter(Boolean).join(" | "), error };
  }
  throw new Error("expected a usage error, but there was none");
}
