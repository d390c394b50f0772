import { EXIT, type ExitCode } from "../errors.ts";

/** Why the run's signal was aborted. */
export class StopSignal extends Error {
  readonly signal: "SIGINT" | "SIGTERM";

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(`stopped by ${signal}`);
    this.name = "StopSignal";
    this.signal = signal;
  }

  get exitCode(): ExitCode {
    return this.signal === "SIGINT" ? EXIT.sigint : EXIT.sigterm;
  }
}
