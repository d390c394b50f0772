import type { RebuildOptions } from "../plan/rebuild-options.ts";
import type { RebuildEffects, RebuildPlan, RebuildResult } from "../usecases/rebuild-result.ts";

/** What the command line needs of the process, so that a test can be the process. */
export interface Io {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Writes a piece of a long output to stdout and waits until it is taken; false: whoever read it has gone. */
  pipe(chunk: Uint8Array | string): Promise<boolean>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isTTY: { readonly stdout: boolean; readonly stderr: boolean };
  /** Width of the terminal. */
  readonly columns: number;
  /** Ms of Unix time. */
  now(): number;
  version(): VersionInfo;
}

export interface VersionInfo {
  readonly tool: string;
  readonly engine: string;
  readonly rules: number;
  readonly timeZoneData: string;
}

/** The use case behind `rebuild`; it brings the engine with it and is loaded only when it runs. */
export interface RebuildUsecase {
  rebuild(options: RebuildOptions, effects: RebuildEffects): Promise<RebuildResult>;
  planRebuild(options: RebuildOptions, effects: RebuildEffects): Promise<RebuildPlan>;
}

/** What the program runs on. */
export interface Runtime {
  /** Aborted with a StopSignal. */
  readonly signal: AbortSignal;
  loadRebuild(): Promise<RebuildUsecase>;
}
