import type { Definition } from "../definitions/definition.ts";
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
}

export function martStore(location: string, effects: Pick<MartEffects, "openStore">): ObjectStore {
  return (effects.openStore ?? openStore)(location);
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
