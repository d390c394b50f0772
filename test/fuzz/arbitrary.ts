/** Hostile scenarios: sessions around the edges of a day and of its read window, with every fault of the rules. */
import fc from "fast-check";
import { type Anchor, type Frame, HOUR, pick } from "./choices.ts";
import { definitionChoices, definitionsOf, settingsOf } from "./definition-arbitrary.ts";
import { toDefinition } from "./definitions.ts";
import { mutate, mutationOf } from "./mutations.ts";
import {
  type Encoding,
  type LakeFile,
  type LakeSpec,
  partitionOf,
  type Scenario,
  type TimeEncoding,
} from "./scenario.ts";
import { type Draft, draftsOf, storyOf } from "./story.ts";
import { windowOf, ZONE_DAYS } from "./zones.ts";

const MAX_ROWS = 80;
/** In a crowded lake each session goes through its steps so many times: more rows than a sort takes for few. */
const CROWD = 4;

const timeEncoding = pick<TimeEncoding>(
  [2, "TIMESTAMP_MS"],
  [1, "TIMESTAMP"],
  [1, "TIMESTAMPTZ"],
  [1, "TIMESTAMP_NS"],
  [1, "BIGINT"],
  [1, "text"],
  [1, "textZ"],
);

const encodingOf: fc.Arbitrary<Encoding> = fc.record({
  camelCase: fc.boolean(),
  shortEpoch: pick([3, false], [1, true]),
  order: fc.integer({ min: 0, max: 1000 }),
  serverTime: timeEncoding,
  otherTimes: timeEncoding,
  sequence: pick<Encoding["sequence"]>([2, "BIGINT"], [1, "INTEGER"], [1, "DOUBLE"], [1, "text"]),
  booleansAsText: pick([3, false], [1, true]),
  numericIds: pick([1, false], [1, true]),
  omitEmpty: fc.boolean(),
  emptyText: pick([2, false], [1, true]),
  micros: pick([2, 0], [1, 1], [1, 999]),
});

const NAMES = ["part-0.parquet", "a b.parquet", "é.parquet", "[x].parquet", "it's.parquet"];

const choicesOf = fc.record({
  zone: pick(...ZONE_DAYS.map((day, i) => [i === 0 ? 4 : 1, day] as const)),
  settings: settingsOf,
  definitions: definitionChoices,
  stories: fc.array(storyOf, { minLength: 1, maxLength: 5, size: "max" }),
  crowded: pick([15, false], [1, true]),
  /** An anchor for all of them, so that they overlap; null for each its own. */
  together: pick<Anchor | null>([3, null], [2, "start"], [2, "end"], [1, "noon"]),
  mutations: fc.array(mutationOf, { minLength: 0, maxLength: 8, size: "max" }),
  encodings: fc.array(encodingOf, { minLength: 1, maxLength: 4, size: "max" }),
  names: fc.shuffledSubarray(NAMES, { minLength: 3, maxLength: 3 }),
  missingHours: fc.oneof(
    { weight: 5, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 2 }) },
  ),
});
type Choices = typeof choicesOf extends fc.Arbitrary<infer T> ? T : never;

const hourStart = (ms: number): number => Math.floor(ms / HOUR) * HOUR;

function hourOf(draft: Draft, frame: Frame): number {
  const time = draft.values.server_time;
  const sane = typeof time === "number" && Math.abs(time - draft.happenedAt) < 1000 * 24 * HOUR;
  const ms = sane ? time : draft.happenedAt;
  const slack = frame.settings.partitionSlackMs;
  if (draft.hour === "earliest") return hourStart(ms - slack);
  if (draft.hour === "latest") return hourStart(ms + slack);
  return hourStart(ms) + (draft.hour === "own" ? 0 : draft.hour * HOUR);
}

function filesOf(drafts: readonly Draft[], frame: Frame, choices: Choices): LakeFile[] {
  const files = new Map<string, { hourMs: number; name: string; drafts: Draft[] }>();
  for (const draft of drafts) {
    const hourMs = hourOf(draft, frame);
    const name = choices.names[draft.fileNumber]!;
    const path = `${partitionOf(hourMs)}/${name}`;
    const file = files.get(path) ?? { hourMs, name, drafts: [] };
    file.drafts.push(draft);
    files.set(path, file);
  }
  return [...files.values()].map((file, i) => ({
    hourMs: file.hourMs,
    name: file.name,
    encoding: choices.encodings[i % choices.encodings.length]!,
    rows: file.drafts.sort((a, b) => a.shuffle - b.shuffle).map((draft) => draft.values),
  }));
}

/** Every hour of the read window is there, with or without events, but for those that are missing on purpose. */
function lakeOf(drafts: readonly Draft[], frame: Frame, choices: Choices): LakeSpec {
  const files = filesOf(drafts, frame, choices);
  const used = new Set(files.map((file) => file.hourMs));
  const from = hourStart(frame.startMs - frame.settings.lookbackMs);
  const to = frame.endMs + frame.settings.lookaheadMs;
  const hours: number[] = [];
  for (let hour = from; hour < to; hour += HOUR) hours.push(hour);
  const missing = choices.missingHours.map((n) => hours[n % hours.length]!);
  return { files, emptyHours: hours.filter((hour) => !used.has(hour) && !missing.includes(hour)) };
}

function build(choices: Choices): Scenario {
  const { settings } = choices;
  const definitions = definitionsOf(choices.definitions, settings);
  const { zone, day } = choices.zone;
  const { startMs, endMs } = windowOf(zone, day);
  const frame: Frame = { settings, definition: toDefinition(definitions[0]!), startMs, endMs };
  let ids = 0;
  const nextId = () => `e${ids++}`;
  const times = choices.crowded ? CROWD : 1;
  const stories = choices.stories.map((story) => ({
    ...story,
    steps: Array.from({ length: times }, () => story.steps).flat(),
    anchor: choices.together ?? story.anchor,
  }));
  const drafts = stories.flatMap((story, i) => draftsOf(story, i, frame, nextId)).slice(0, MAX_ROWS * times);
  const lake = lakeOf(mutate(drafts, choices.mutations, frame, nextId), frame, choices);
  return { zone, day, settings, definitions, lake };
}

export const scenarioArbitrary: fc.Arbitrary<Scenario> = choicesOf.map(build);

/** The same scenario for the same seed, on every machine. */
export function scenarioFromSeed(seed: number): Scenario {
  return fc.sample(scenarioArbitrary, { seed, numRuns: 1, unbiased: true })[0]!;
}

/** `count` scenarios that differ in their lakes only: day, settings and definitions are those of the first. */
export function scenariosAlike(seed: number, count: number): Scenario[] {
  const choices = fc.sample(choicesOf, { seed, numRuns: count, unbiased: true });
  const { zone, settings, definitions } = choices[0]!;
  return choices.map((choice) => build({ ...choice, zone, settings, definitions }));
}
