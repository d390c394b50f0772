/** What a realtime file may be: Parquet, CSV, NDJSON; ids as text, amounts in ms or seconds; what is wrong with one is named. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, test } from "vitest";
import { type DriftPlace, driftPlace, usersOnline } from "./support.ts";

const GREAT = { "9007199254740993": 30, "9007199254740992": 40, "007": 50, 'a,"b': 60 };

let place: DriftPlace;
beforeAll(async () => {
  place = await driftPlace(usersOnline(GREAT));
});

const EXACT = {
  verdict: "pass",
  compared: { totals: { offline: 180_000, difference: 0 }, counts: { compared: 4, equal: 4 } },
};

async function parquet(name: string, select: string): Promise<string> {
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  await connection.run(`copy (${select}) to '${join(place.folder, name)}' (format parquet)`);
  connection.closeSync();
  return name;
}

describe("the same figures as", () => {
  const CSV = 'user_id,online_ms\n9007199254740993,30000\n9007199254740992,40000\n007,50000\n"a,""b",60000\n';

  test.each([
    ["CSV", CSV],
    ["CSV of Windows, with a mark at its beginning", `\ufeff${CSV.replaceAll("\n", "\r\n")}`],
    ["CSV with semicolons", CSV.replaceAll('"a,""b"', "X").replaceAll(",", ";").replace("X", '"a,""b"')],
    ["CSV with tabs", CSV.replaceAll('"a,""b"', "X").replaceAll(",", "\t").replace("X", '"a,""b"')],
    ["CSV with more columns", CSV.replace("\n", ",note\n").replaceAll(/000\n/g, "000,x\n")],
    [
      "NDJSON, ids as numbers and as text",
      '{"user_id":9007199254740993,"online_ms":30000}\n{"online_ms":4e4,"user_id":"9007199254740992","more":{"a":[1]}}\n' +
        '{"user_id":"007","online_ms":"50000"}\n\n{"user_id":"a,\\"b","online_ms":60000}\n',
    ],
    [
      "NDJSON in camelCase and seconds",
      '{"userId":9007199254740993,"onlineSeconds":30}\n{"userId":9007199254740992,"onlineSeconds":40.0}\n{"userId":"007","onlineSeconds":5e1}\n{"userId":"a,\\"b","onlineSeconds":60.0009}\n',
    ],
  ])("%s", async (_, text) => {
    expect(await place.json(place.write("realtime", text))).toMatchObject(EXACT);
    writeFileSync(join(place.folder, "realtime.gz"), gzipSync(text));
    expect(await place.json("realtime.gz")).toMatchObject(EXACT);
  });

  test.each([
    ["text and integers", "'x'", "cast(ms as bigint)", "online_ms"],
    ["doubles of seconds", "'x'", "ms / 1000", "online_seconds"],
    ["decimals of seconds", "'x'", "cast(ms / 1000 as decimal(18, 3))", "online_seconds"],
  ])("Parquet: %s", async (_, note, amount, name) => {
    const rows = Object.entries(GREAT).map(([user, seconds]) => `('${user}', ${seconds * 1000})`);
    const select = `select id as user_id, ${note} as note, ${amount} as ${name} from (values ${rows.join(", ")}) as t(id, ms)`;
    expect(await place.json(await parquet("realtime.parquet", select))).toMatchObject(EXACT);
  });

  test("Parquet with integer ids", async () => {
    const file = await parquet(
      "ids.parquet",
      "select 9007199254740993 as user_id, 30000 as online_ms union all select 7, 1",
    );
    const { compared } = await place.json(file);
    expect(compared.worst.map(({ subject }: { subject: string }) => subject)).toEqual([
      ...['a,"b', "007", "9007199254740992", "7"],
    ]);
  });
});

test("seconds meet ms in ms: finer ones are floored, and thousandths are exact", async () => {
  const seconds = { "9007199254740993": "30.0004", "9007199254740992": "40.001", "007": "50.9999", 'a,"b': "60.0000" };
  const lines = Object.entries(seconds).map(
    ([user_id, online]) => `{"user_id":${JSON.stringify(user_id)},"online_seconds":${online}}`,
  );
  const { compared } = await place.json(place.write("seconds", lines.join("\n")));
  expect(compared.worst).toMatchObject([
    { subject: "007", difference: 999 },
    { subject: "9007199254740992", difference: 1 },
  ]);
});

test("fault 51: 3600.0004 s and 3600 s are equal at a tolerance of 1 s, and what is beyond it is not", async () => {
  const hour = await driftPlace(usersOnline({ u1: 3600, u2: 3600, u3: 3600 }));
  const file = hour.write("realtime.csv", "user_id,online_seconds\nu1,3600.0004\nu2,3601\nu3,3601.001\n");
  expect((await hour.json(file, "--tolerance", "1s")).compared.counts).toMatchObject({ compared: 3, equal: 2 });
  expect((await hour.json(file)).compared.counts).toMatchObject({ equal: 1 });
});

test("fault 52: days of UTC against days of Asia/Shanghai are not comparable, where the file's zone is told", async () => {
  const shanghai = await driftPlace(usersOnline({ u1: 3600 }), { zone: "Asia/Shanghai" });
  const file = shanghai.write("realtime.csv", "user_id,online_ms\nu1,5\n");
  const ran = await shanghai.drift(file, "--realtime-tz", "UTC");
  expect(ran).toMatchObject({
    code: 3,
    stderr: /^error: not comparable: the realtime figures are of days of UTC, the offline ones of Asia\/Shanghai\n/,
  });
  expect(ran.stdout).not.toMatch("%");
  expect((await shanghai.drift(file, "--realtime-tz", "Asia/Shanghai")).code).toBe(4);
});

test("rows of other dates and definitions are left aside, and told", async () => {
  const rows = [
    "007,50000,2024-01-15,connected,1",
    "007,1,2024-01-14,connected,1",
    "007,2,2024-01-15,foreground,1",
    "007,3,2024-01-15,connected,2",
  ];
  const file = place.write("many.csv", `user_id,online_ms,date,metric,version\n${rows.join("\n")}\n`);
  const document = await place.json(file, "--metric", "connected");
  expect(document.realtime).toMatchObject({ rows: 4, leftAside: { otherDates: 1, otherDefinitions: 2 } });
  expect(document.compared.counts).toMatchObject({ compared: 4, equal: 1, offlineOnly: 3 });
  const { stdout } = await place.drift(file, "--metric", "connected");
  expect(stdout).toMatch("not compared: 1 rows of other dates than 2024-01-15\n");
  expect(stdout).toMatch("not compared: 2 rows of other definitions than connected@1\n");
});

describe("refused with exit 3, and what is wrong:", () => {
  test.each([
    [
      "a user twice",
      "user_id,online_ms\nu1,5\nu2,5\nu1,6\nu2,5\nu2,7\n",
      /more than one row for u1 \(2 rows\), u2 \(3 rows\)\n/,
    ],
    ["no user", "user_id,online_ms\n,5\n,6\nu1,5\n", /2 rows have no user_id/],
    ["an amount that is none", "user_id,online_ms\nu1,much\n", /online_ms of user_id u1 is "much"\n/],
    ["an empty amount", "user_id,online_ms\nu1,5\nu2,\nu3,\n", /online_ms of user_id u2 is empty \(and of 1 more rows/],
    ["a negative amount", "user_id,online_seconds\nu1,-1\n", /online_seconds of user_id u1 is "-1"/],
    ["a ragged row", "user_id,online_ms\nu1,5,7\n", /cannot be read: .*Line: 2/],
    [
      "other columns",
      "user,ms\nu1,5\n",
      /are no figures that can be compared: user, ms\nNeeded are user_id and online_ms/,
    ],
    ["no header", "u1,5\nu2,6\n", /are no figures that can be compared: u1, 5\n/],
    ["two columns of a name", "user_id,online_ms,online_ms\nu1,5,7\n", /names online_ms twice/],
    ["broken JSON", '{"user_id":"u1","online_ms":5}\n{"user_id":', /cannot be read: /],
    ["a JSON array", '[{"user_id":"u1","online_ms":5}]', /is one JSON array\nWrite it as NDJSON/],
    [
      "an unknown dimension",
      "dimension,value,online_ms\nbrowser,x,5\n",
      /has figures of browser\nThe mart has total, client_type/,
    ],
    [
      "a version that is none",
      "user_id,online_ms,metric,version\nu1,5,connected,new\n",
      /names version "new" of connected/,
    ],
    ["nothing", "", /is empty\n/],
  ])("%s", async (_, text, message) => {
    const ran = await place.drift(place.write("bad", text));
    expect(ran).toMatchObject({ code: 3, stdout: "" });
    expect(ran.stderr).toMatch(message);
    expect(ran.stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
  });

  test("ids that are doubles", async () => {
    const ran = await place.drift(await parquet("double.parquet", "select 1.0::double as user_id, 5 as online_ms"));
    expect(ran).toMatchObject({ code: 3, stderr: /user_id of \S+ is DOUBLE: ids would not be exact/ });
  });

  test("half a Parquet file", async () => {
    const ran = await place.drift(place.write("half.parquet", "PAR1 and no more"));
    expect(ran).toMatchObject({ code: 3, stderr: /half\.parquet cannot be read: / });
  });

  test("a file that is not there, and a folder", async () => {
    expect(await place.drift("nowhere.csv")).toMatchObject({ code: 3, stderr: /there is no realtime file / });
    expect(await place.drift("lake")).toMatchObject({ code: 3, stderr: /lake is no file/ });
  });
});
