import { createHash } from "node:crypto";
import type { Definition } from "./definition.ts";
import { printExpression, usedStates } from "./expression.ts";

/**
 * SHA-256 (hex) over what a definition means: two definitions of one hash give the same numbers from the same lake. Name,
 * version, description, redundant parentheses, states that `online` does not use and a maxShift that no late upload is moved by
 * change no number and are left out.
 */
export function definitionHash(definition: Omit<Definition, "hash">): string {
  const used = usedStates(definition.expression);
  // Written key by key: the order of this object is the canonical one, and a new field of Definition must be decided on.
  const meaning = {
    online: printExpression(definition.expression),
    gapMaxMs: definition.gapMaxMs,
    gapCreditMs: definition.gapCreditMs,
    tailMs: definition.tailMs,
    idleMs: definition.idleMs,
    foregroundAtStart: definition.foregroundAtStart,
    devices: definition.devices,
    lateUpload: definition.lateUpload,
    maxShiftMs: definition.lateUpload === "compensate" ? definition.maxShiftMs : null,
    maxSessionMs: definition.maxSessionMs,
    states: [...definition.states]
      .filter(([name]) => used.has(name))
      .map(([name, rule]) =>
        rule.kind === "types" ? [name, "types", rule.on, rule.off] : [name, "column", rule.column, rule.equals],
      ),
  };
  return createHash("sha256").update(JSON.stringify(meaning)).digest("hex");
}
