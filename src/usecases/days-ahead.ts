import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { dayMemoryLimit, defaultMemoryLimit } from "../plan/resources.ts";
import { bytesOf, type DayPlan } from "./day-plan.ts";
import type { RebuildEffects } from "./rebuild-result.ts";

/** What a day that is begun needs to keep its place in the order of days. */
export interface Place {
  /** What it tells is held back until its turn; its signal is also aborted when a day before it has stopped the run. */
  readonly effects: RebuildEffects;
  /** Settles when the days before it are over. */
  readonly turn: Promise<void>;
}

/**
 * Works on days in their order: each `work` must not leave anything to others before its turn. While a day is worked on, the next is
 * begun where `isAhead` says so. `done` hears of each day in order; where it throws, the days that are begun are stopped, and
 * all have ended when this ends.
 */
export async function inOrder<T>(
  count: number,
  effects: RebuildEffects,
  isAhead: (index: number) => boolean,
  work: (index: number, place: Place) => Promise<T>,
  done: (index: number, outcome: PromiseSettledResult<T>) => void,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([effects.signal, stop.signal]);
  const begun: Begun<T>[] = [];
  const begin = (index: number): Begun<T> => {
    const held = hold({ ...effects, signal });
    const turn = begun[index - 1]?.over ?? Promise.resolve();
    const outcome = settle(work(index, { effects: held.effects, turn }));
    return { outcome, over: outcome.then(() => {}), release: held.release };
  };
  try {
    for (let index = 0; index < count; index++) {
      begun[index] ??= begin(index);
      if (index + 1 < count && isAhead(index + 1)) begun[index + 1] = begin(index + 1);
      begun[index]!.release();
      done(index, await begun[index]!.outcome);
    }
  } finally {
    stop.abort();
    await Promise.all(begun.map(({ over }) => over));
  }
}

interface Begun<T> {
  readonly outcome: Promise<PromiseSettledResult<T>>;
  readonly over: Promise<void>;
  /** What it has told so far is told, and from now on at once. */
  release(): void;
}

async function settle<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([work]);
  return outcome!;
}

function hold(effects: RebuildEffects): { effects: RebuildEffects; release(): void } {
  let held: (() => void)[] | null = [];
  const tell = (message: () => void) => {
    if (held) held.push(message);
    else message();
  };
  return {
    effects: {
      ...effects,
      progress: (event) => tell(() => effects.progress(event)),
      warn: (text) => tell(() => effects.warn(text)),
    },
    release() {
      const messages = held ?? [];
      held = null;
      for (const message of messages) message();
    },
  };
}

/**
 * Whether a day may be counted beside the one before it: a small day leaves processors idle, by the planning of its many statements. Not
 * where limits were asked for, nor where steps are to be measured, nor beyond the memory that the two may take.
 */
export function isWorthCountingAhead(
  options: Pick<RebuildOptions, "engine" | "threads" | "memoryLimitBytes" | "profile">,
  before: DayPlan,
  day: DayPlan,
): boolean {
  const { engine, threads, memoryLimitBytes, profile } = options;
  if (engine !== "duckdb" || threads === 1 || memoryLimitBytes !== null || profile) return false;
  const both = [before, day].reduce((sum, one) => sum + dayMemoryLimit(bytesOf(one), threads), 0);
  return both <= defaultMemoryLimit();
}
