/** How often a request is tried, and how long it waits in between. */
export interface Retries {
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

export const RETRIES: Retries = { attempts: 6, firstDelayMs: 200, longestDelayMs: 5_000 };

const STATUSES = [408, 409, 425, 429, 500, 502, 503, 504];
const NAMES = [
  "TimeoutError",
  "RequestTimeout",
  "SlowDown",
  "Throttling",
  "RequestTimeTooSkewed",
  "Stalled",
  "Incomplete",
];

/** The HTTP status of an answer; 0 where there was none. */
export const statusOf = (error: unknown): number =>
  (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode ?? 0;

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

/** Whether trying again may help: overload, a conflict with another writer, or a connection that broke. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  if (NAMES.includes(nameOf(error)) || STATUSES.includes(status)) return true;
  if (error instanceof Error && error.message.startsWith("Checksum mismatch")) return true;
  const { code } = (error ?? {}) as { code?: unknown };
  const isNetwork = typeof code === "string" && /^(E[A-Z]+|ERR_STREAM_PREMATURE_CLOSE)$/.test(code);
  return status === 0 && isNetwork && !["ENOSPC", "EDQUOT", "EACCES", "EROFS", "EMFILE"].includes(code);
}

/**
 * Tries again after passing failures, each time after a longer wait of random length, so that many runs do not come back at once.
 * The work is told which attempt it is: from the second on, the first may have had its effect although its answer was lost.
 */
export async function withRetries<T>(
  retries: Retries,
  signal: AbortSignal,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await work(attempt);
    } catch (error) {
      signal.throwIfAborted();
      if (attempt >= retries.attempts || !isPassing(error)) throw error;
      const longest = Math.min(retries.longestDelayMs, retries.firstDelayMs * 2 ** (attempt - 1));
      await pause(longest * (0.5 + Math.random() / 2), signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
