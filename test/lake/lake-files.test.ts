import { expect, test } from "vitest";
import type { WhichFiles } from "../../src/engine/engine.ts";
import type { FileAccess } from "../../src/lake/file-access.ts";
import { lakeFiles } from "../../src/lake/lake-files.ts";
import type { ProbedFile } from "../../src/lake/probed-file.ts";

const FILES = [300, 200, 600, 1, 499, 500].map((rows, fileNo) => {
  const path = `/lake/${fileNo}.parquet`;
  return { fileNo, relative: path, path, rows, hourMs: 0, columns: [], reading: {} } as unknown as ProbedFile;
});

/** Which files there are at once, as where they are fetched four at a time. */
async function parts(which?: WhichFiles, files = FILES): Promise<number[][]> {
  const access: FileAccess = {
    paths: () => [],
    readEnds: async () => {},
    read: async (asked, work) => {
      await work(asked.slice(0, 4));
      if (asked.length > 4) await work(asked.slice(4));
    },
  };
  const read: number[][] = [];
  await lakeFiles(files, { timeUnit: "ms" }, access).read(async ({ rawEvents }) => {
    read.push([...rawEvents.matchAll(/\/lake\/(\d)\.parquet/g)].map(([, fileNo]) => Number(fileNo)));
  }, which);
  return read;
}

test("all files that are there are read at once, each once", async () => {
  expect(await parts()).toEqual([
    [0, 1, 2, 3],
    [4, 5],
  ]);
});

test("of those asked for, too", async () => {
  expect(await parts({ fileNos: new Set([5, 1]) })).toEqual([[1, 5]]);
});

test("no more rows at once than asked for, but a file as a whole", async () => {
  expect(await parts({ mostRows: 500 })).toEqual([[0, 1], [2], [3], [4], [5]]);
  expect(await parts({ mostRows: 499, fileNos: new Set([2, 3, 4]) })).toEqual([[2], [3], [4]]);
  expect(await parts({ mostRows: 601, fileNos: new Set([2, 3, 4]) })).toEqual([[2, 3], [4]]);
});

test("where there are no files, once, of nothing", async () => {
  expect(await parts({ mostRows: 500 }, [])).toEqual([[]]);
});
