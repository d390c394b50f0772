import { usageError } from "../errors.ts";

/**
 * A share from 0 to 1 of `5%`, `0.5%` or `0.05`. A bare number must be below 1: what `5` or `1` without a percent sign means is
 * anyone's guess, so both are usage errors.
 */
export function parseShare(text: string): number {
  const parts = /^(\d+(?:\.\d+)?)( ?%)?$/.exec(text);
  // "e-2" instead of a division: 0.7 % is then the double that 0.007 is.
  const share = parts ? Number(parts[2] ? `${parts[1]}e-2` : parts[1]) : Number.NaN;
  if (!(share >= 0 && share <= 1) || (parts && !parts[2] && share === 1)) {
    const bare = parts && !parts[2] && Number(text) <= 100;
    throw usageError(
      `${JSON.stringify(text)} is not a share such as 5%, 0.5% or 0.05`,
      bare ? `write ${text}% if that is meant` : undefined,
    );
  }
  return share;
}
