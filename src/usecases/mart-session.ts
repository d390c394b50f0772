import { DuckDbSession, type SessionOptions } from "../engine/duckdb/session.ts";

/** Runs `work` in a session of its own, whose statements end when the signal is aborted. */
export async function withSession<T>(
  options: SessionOptions,
  signal: AbortSignal,
  work: (session: DuckDbSession) => Promise<T>,
): Promise<T> {
  const session = await DuckDbSession.open(options);
  const interrupt = () => session.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    signal.throwIfAborted();
    return await work(session);
  } finally {
    signal.removeEventListener("abort", interrupt);
    await session.close();
  }
}
