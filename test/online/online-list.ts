import type { judge } from "../oracle/index.ts";
import { sortBy } from "../oracle/order.ts";

/** What a realtime layer hears: a session's sign of life, or its close. */
export interface Signal {
  readonly atMs: number;
  readonly userId: string;
  readonly sessionId: string;
  readonly device: string;
  readonly closes: boolean;
}

/**
 * The rule of an online list as realtime layers keep it: each user with the device that was heard last, and the score of a
 * session being when it was last heard; who has no score within the time-out is not online. A close takes its session off.
 */
export class OnlineList {
  readonly #timeoutMs: number;
  readonly #users = new Map<string, { device: string; scores: Map<string, number> }>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  hear({ userId, device, sessionId, atMs, closes }: Signal): void {
    const known = this.#users.get(userId);
    if (closes) {
      known?.scores.delete(sessionId);
      return;
    }
    const scores = known?.device === device ? known.scores : new Map<string, number>();
    scores.set(sessionId, atMs);
    this.#users.set(userId, { device, scores });
  }

  /** Newest score first. */
  online(atMs: number): { userId: string; lastSeenMs: number }[] {
    const scored = [...this.#users].map(([userId, { scores }]) => ({
      userId,
      lastSeenMs: Math.max(...scores.values()),
    }));
    const online = scored.filter(({ lastSeenMs }) => atMs - lastSeenMs < this.#timeoutMs);
    return sortBy(online, ({ lastSeenMs, userId }) => [-lastSeenMs, userId]);
  }
}

/** The accepted events as a realtime layer would have heard them, had they arrived in order. */
export function signalsOf(sessions: ReturnType<typeof judge>["sessions"]): Signal[] {
  const signals = sessions.flatMap(({ sessionId, userId, epochs }) => {
    // A session has one device (R8): the first that it names.
    const device = epochs.flatMap(({ accepted }) => accepted).find(({ deviceId }) => deviceId !== null)?.deviceId;
    return epochs.flatMap(({ ordered, tau, accepted }) =>
      ordered.flatMap((event, i) =>
        accepted.includes(event)
          ? [
              {
                atMs: tau[i]!,
                userId,
                sessionId,
                device: device ? `device ${device}` : `session ${sessionId}`,
                closes: event.type === "SESSION_CLOSE" || event.type === "LOGOUT",
                order: [event.epoch, event.sequence] as const,
              },
            ]
          : [],
      ),
    );
  });
  return sortBy(signals, ({ atMs, sessionId, order }) => [atMs, sessionId, ...order]);
}
