import { StopSignal } from "./stop-signal.ts";

/** How long a stopped run may take to put its work away; with it the process is gone within a second. */
export const GRACE_MS = 900;

interface SignalSource {
  on(name: "SIGINT" | "SIGTERM", listener: () => void): unknown;
}

/**
 * The first SIGINT or SIGTERM aborts the signal that is returned; a second one, or a run that does not end by itself in time,
 * calls `exit`.
 */
export function stopOnSignals(source: SignalSource, exit: (stop: StopSignal) => void): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    source.on(name, () => {
      const stop = new StopSignal(name);
      if (controller.signal.aborted) {
        exit(stop);
        return;
      }
      controller.abort(stop);
      setTimeout(() => exit(stop), GRACE_MS).unref();
    });
  }
  return controller.signal;
}
