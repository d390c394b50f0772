import type { Definition } from "../definitions/definition.ts";
import type { LakeStore } from "../lake/lake-store.ts";
import type { S3Options } from "../plan/s3-options.ts";
import type { LakeSettings } from "../plan/settings.ts";
import type { KeptDefinition, MartIdentity } from "../publish/mart-identity.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { openStore } from "../storage/open-store.ts";

/** What every command that opens a mart is given. */
export interface MartEffects {
  /** The command's one clock reading, ms of Unix time. */
  readonly nowMs: number;
  readonly signal: AbortSignal;
  /** Opens a mart's location; the program's own stores where absent. */
  readonly openStore?: (location: string) => ObjectStore;
  /** Opens a lake's location; the program's own where absent. */
  readonly openLake?: (location: string) => LakeStore;
  /** How S3 is reached, for lake and mart alike; defaults where absent. */
  readonly s3?: S3Options;
}

export function martStore(
  location: string,
  { openStore: open, s3 }: Pick<MartEffects, "openStore" | "s3">,
): ObjectStore {
  return open ? open(location) : openStore(location, s3);
}

/** What the mart fixes of a run's options; eventTypes may grow and are kept apart. */
export function identityOf(zone: string, settings: LakeSettings): MartIdentity {
  const { eventTypes: _, ...fixed } = settings;
  return { zone, settings: fixed };
}

/** The lake settings of a mart, as its first build fixed them. */
export function settingsOf(identity: MartIdentity, eventTypes: readonly string[]): LakeSettings {
  return { ...(identity.settings as unknown as Omit<LakeSettings, "eventTypes">), eventTypes };
}

/** A definition as the mart and its manifests keep it: everything but what follows from the rest. */
export interface StoredDefinition extends Omit<Definition, "states" | "expression">, KeptDefinition {
  readonly states: Readonly<Record<string, unknown>>;
}

export function storedDefinition({ expression: _, states, ...rest }: Definition): StoredDefinition {
  return { ...rest, states: Object.fromEntries(states) };
}
