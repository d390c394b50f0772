import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ExplainedEvent, Explanation, Step } from "../../src/explain/explanation.ts";
import { brokenScale, brokenTicks, union } from "../../src/report/broken-scale.ts";
import { explainPage, explainPicture } from "../../src/report/explain-page.ts";
import { type Workplace, workplace } from "../explain/workplace.ts";

let place: Workplace;
let explanation: Explanation;
const ASK = ["explain", "--date", "2024-01-15", "--user", "u1", "--lake", "lake", "--out", "mart"];

beforeAll(async () => {
  place = await workplace();
  explanation = JSON.parse((await place.command(...ASK, "--json")).stdout);
}, 120_000);
afterAll(() => place.remove());

describe("explain --html, --svg", () => {
  test("write the page and the picture, and print the answer", async () => {
    const { code, stdout } = await place.command(...ASK, "--html", "page.html", "--svg", "picture.svg");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^User u1 was online for 3m 30\.000s \(210,000 ms\) on 2024-01-15 under foreground@1\.\nThe mart says the same \(run .*\)\.\npage written to page\.html\npicture written to picture\.svg\n$/,
    );
    expect(readFileSync(join(place.folder, "page.html"), "utf8")).toBe(explainPage(explanation, "presence-batch 0"));
    expect(readFileSync(join(place.folder, "picture.svg"), "utf8")).toBe(explainPicture(explanation));
  });

  test("--json goes with them", async () => {
    const { stdout } = await place.command(...ASK, "--json", "--html", "other.html");
    expect(JSON.parse(stdout)).toEqual(explanation);
  });

  test("a page and a picture in one file are a mistake", async () => {
    const { code, stderr } = await place.command(...ASK, "--svg", "a.svg", "--html", "a.svg");
    expect(stderr).toMatch(/name one file: a\.svg/);
    expect(code).toBe(2);
  });

  test("a folder that is not there is a mistake", async () => {
    const { code, stderr } = await place.command(...ASK, "--svg", "no/picture.svg");
    expect(stderr).toMatch(/^error: --svg \S+\/no\/picture\.svg: there is no folder /);
    expect(code).toBe(2);
  });
});

const marks = (text: string, kind: string) =>
  [...text.matchAll(new RegExp(`class="mark ${kind}" d="[^"]*"><title>([^<]*)<`, "g"))].map((match) => match[1]!);

describe("the picture", () => {
  test("shows every event once, the rejected ones in their own colour, each in words", () => {
    const text = explainPicture(explanation);
    const rejected = explanation.events.filter(({ verdict }) => verdict.kind === "quarantined");
    const shown = marks(text, "quarantined");
    // Two at the same instant lie on one another.
    const instants = new Set(rejected.map(({ timeMs, sessionId }) => `${sessionId} ${timeMs}`));
    expect(shown).toHaveLength(instants.size);
    for (const says of shown) expect(says).toMatch(/ \[R\d+\]/);
    expect(marks(text, "event").length + marks(text, "moved").length).toBe(
      explanation.counts.accepted - marks(text, "timeout").length,
    );
    expect(text).toMatch(/>30 s of 12 min 30 s</);
    expect(text).toMatch(/>Session s2 · device d9: belongs to user u2 \[R8\]</);
  });

  test("draws what counts as long as it is", () => {
    // One stretch to scale: the bars' lengths are in proportion to the intervals.
    const minute = 60_000;
    const intervals = [
      { startMs: 0, endMs: 10 * minute },
      { startMs: 11 * minute, endMs: 16 * minute },
    ];
    const [definition] = explanation.definitions;
    const text = explainPicture({
      ...explanation,
      events: [],
      sessions: [],
      dayMs: { startMs: 0, endMs: 86_400_000 },
      definitions: [{ ...definition!, sessions: [], intervals }],
    });
    const [long, short] = [...text.matchAll(/<rect class="f1" x="[\d.]+" y="\d+" width="([\d.]+)" height="16"/g)].map(
      (match) => Number(match[1]),
    );
    expect(long! / short!).toBeCloseTo(2, 1);
  });

  test.each([0, 1, 5, 500, 20_000])("of %i events has no figure that is none, and stays small", (count) => {
    const many = withEvents(explanation, count);
    const text = explainPage(many, "presence-batch");
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
    expect(Buffer.byteLength(text)).toBeLessThan(2_000_000);
    if (count === 5) expect(marks(explainPicture(many), "event")).toHaveLength(5);
    if (count === 20_000) expect(text).toMatch(/more to #/);
  });

  test("keeps ids as text", () => {
    const id = `</text><script>alert("1")</script>\u0000`;
    const text = explainPage({ ...withEvents(explanation, 5, id), userId: id }, "presence-batch");
    expect(text).not.toMatch(/<script/);
    expect(text).not.toContain("\u0000");
    expect(text).toMatch(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;\\u0000/);
  });
});

/** A session of heartbeats, one each 4 s. */
function withEvents(from: Explanation, count: number, sessionId = "s"): Explanation {
  const { startMs } = from.dayMs;
  const at = (i: number) => startMs + i * 4_000;
  const step = (i: number): Step => ({
    ...{ tauMs: at(i), movedByR13: false, earning: "gap", gapMs: 4_000, slotEndMs: at(i + 1), cutBy: null },
    ...{
      foreground: true,
      states: [],
      changes: i === 0 ? ["foreground"] : [],
      interactionMs: null,
      onlineMs: 4_000,
      deviceCut: null,
      countedMs: 4_000,
    },
  });
  const [like] = from.events;
  const events = Array.from(
    { length: count },
    (_, i): ExplainedEvent => ({
      ...like!,
      ...{
        no: i + 1,
        sessionId,
        sequence: i,
        timeMs: at(i),
        serverMs: at(i),
        type: "HEARTBEAT",
        ofUser: true,
        folded: null,
      },
      verdict: { kind: "accepted", movedToMs: null, movedBy: null },
      steps: [step(i)],
    }),
  );
  const online = count > 0 ? [{ startMs, endMs: at(count) }] : [];
  const [definition] = from.definitions;
  const time = { ...definition!.sessions[0]!, sessionId, activity: [], online, counted: online, inDay: online };
  return {
    ...from,
    events,
    sessions: [{ ...from.sessions[0]!, sessionId, ofUser: true }],
    definitions: [{ ...definition!, sessions: [time], intervals: online, onlineMs: count * 4_000 }],
  };
}

describe("a broken scale", () => {
  const minute = 60_000;
  const busy = [0, 7, 400, 405, 900].map((at) => ({ startMs: at * minute, endMs: (at + 5) * minute }));
  const scale = brokenScale(busy, [10, 890], { breaks: 12, breakPx: 46 });

  test("cuts long silences out, and keeps the order and the room", () => {
    expect(scale.stretches.map(({ startMs, endMs }) => [startMs / minute, endMs / minute])).toEqual([
      [0, 12],
      [400, 410],
      [900, 905],
    ]);
    expect([scale(0), scale(905 * minute)]).toEqual([10, 890]);
    const xs = Array.from({ length: 906 }, (_, at) => scale(at * minute));
    expect(xs.every((x, i) => i === 0 || x >= xs[i - 1]!)).toBe(true);
    const [first, second] = scale.stretches;
    expect(second!.fromX - first!.toX).toBe(46);
  });

  test("cuts no more often than it may", () => {
    expect(brokenScale(busy, [0, 300], { breaks: 1, breakPx: 20 }).stretches).toHaveLength(2);
    expect(brokenScale(busy, [0, 300], { breaks: 0, breakPx: 20 }).stretches).toHaveLength(1);
  });

  test("names full minutes of the day, as far apart as names need", () => {
    const ticks = brokenTicks(scale, 0, 60);
    expect(ticks.every((at) => at % minute === 0)).toBe(true);
    for (const { startMs, endMs } of scale.stretches) {
      const xs = ticks.filter((at) => at >= startMs && at <= endMs).map(scale);
      expect(xs.length).toBeGreaterThan(0);
      expect(xs.slice(1).every((x, i) => x - xs[i]! >= 60)).toBe(true);
    }
  });
});

test("a union has no overlaps, and nothing empty", () => {
  const at = (startMs: number, endMs: number) => ({ startMs, endMs });
  expect(union([at(5, 7), at(0, 2), at(2, 3), at(6, 9), at(4, 4)])).toEqual([at(0, 3), at(5, 9)]);
});
