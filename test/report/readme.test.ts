import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../cli/fakes.ts";
import { commandIn } from "../explain/workplace.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");

test("the README's argument is what the command says, and its picture what it draws", async () => {
  const section = /## One argument: [\s\S]*?\n## /.exec(README)![0];
  const command = /^presence-batch (explain .*?) +#/m.exec(section)![1]!;
  const { code, stdout } = await commandIn(ROOT, command.split(" "));
  expect(code).toBe(0);
  const told = /```\n([\s\S]*?)```/.exec(section.slice(section.indexOf("So says the command:")))![1]!;
  expect(stdout).toContain(told);
  expect(stdout).toMatch(/silent for 13m 00\.000s, more than 90s: +30,000\s+credit 30s \[R14\]/);
  expect(stdout).toMatch(/DUPLICATE_EVENT \[R7\][\s\S]*EVENT_AFTER_CLOSE \[R12\]/);
  const { stdout: json } = await commandIn(ROOT, [...command.split(" "), "--json"]);
  const { explainPicture } = await import("../../src/report/explain-page.ts");
  expect(readFileSync(join(ROOT, "fixtures/pictures/explain.svg"), "utf8")).toBe(explainPicture(JSON.parse(json)));
});
