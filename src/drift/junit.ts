import { escapeText } from "../report/markup.ts";

/** One thing that was tested. */
export interface TestCase {
  readonly name: string;
  readonly verdict: "pass" | "warn" | "fail" | "error";
  /** With the figures. */
  readonly says: string;
}

/** Test cases as JUnit's XML, which CI systems show: a warning passes and says so on its standard output. */
export function junitXml(suite: string, cases: readonly TestCase[]): string {
  const countOf = (verdict: TestCase["verdict"]) => cases.filter((each) => each.verdict === verdict).length;
  const counts = `tests="${cases.length}" failures="${countOf("fail")}" errors="${countOf("error")}"`;
  const name = escapeText(suite);
  const body = cases.map(
    (each) => `    <testcase classname="${name}" name="${escapeText(each.name)}">${outcome(each)}</testcase>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="presence-batch" ${counts}>
  <testsuite name="${name}" ${counts}>
${body.join("")}  </testsuite>
</testsuites>
`;
}

function outcome({ verdict, says }: TestCase): string {
  const text = escapeText(says);
  switch (verdict) {
    case "fail":
      return `<failure message="${text}"/>`;
    case "error":
      return `<error message="${text}"/>`;
    default:
      return `<system-out>${verdict}: ${text}</system-out>`;
  }
}
