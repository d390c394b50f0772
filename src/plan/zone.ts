import { usageError } from "../errors.ts";
import { nearest } from "./suggest.ts";

const EXAMPLE = "give an IANA Area/City such as Asia/Shanghai or Europe/Berlin, or UTC";

// Names that people type where a city is needed; some are no IANA name, some mean something else than they seem to.
const CITY_OF: Readonly<Record<string, string>> = {
  gmt: "UTC or Europe/London",
  z: "UTC",
  zulu: "UTC",
  "etc/utc": "UTC",
  est: "America/New_York",
  est5edt: "America/New_York",
  cst: "America/Chicago or Asia/Shanghai",
  cst6cdt: "America/Chicago",
  mst: "America/Denver",
  mst7mdt: "America/Denver",
  pst: "America/Los_Angeles",
  pst8pdt: "America/Los_Angeles",
  wet: "Europe/Lisbon",
  cet: "Europe/Berlin",
  met: "Europe/Berlin",
  eet: "Europe/Helsinki",
  bst: "Europe/London",
  ist: "Asia/Kolkata",
  jst: "Asia/Tokyo",
  "asia/beijing": "Asia/Shanghai",
  beijing: "Asia/Shanghai",
};

/**
 * A business zone: an IANA Area/City or `UTC`, spelled as IANA spells it. Refused (usage error, with a suggestion) are offsets
 * and abbreviations, which know no clock changes, `local`, and names in another case, since a mart is bound to the text.
 */
export function parseZone(text: string): string {
  if (text === "UTC") return text;
  const fault = (problem: string, instead?: string) =>
    usageError(`time zone ${JSON.stringify(text)} ${problem}`, instead ? `did you mean ${instead}?` : EXAMPLE);
  const lower = text.trim().toLowerCase();
  if (lower === "utc") throw fault("is not spelled as IANA spells it", "UTC");
  if (lower === "") throw usageError("the time zone is empty", EXAMPLE);
  if (lower === "local" || lower === "system") throw usageError("the machine's own zone never matters here", EXAMPLE);
  const wellMeant = Object.hasOwn(CITY_OF, lower) ? CITY_OF[lower] : undefined;
  if (wellMeant) throw fault("is no Area/City", wellMeant);
  if (/^(utc|gmt|etc\/gmt)?[+-]?\d/.test(lower) || lower.startsWith("etc/") || lower.startsWith("systemv/")) {
    throw fault("is an offset, which knows no clock changes");
  }
  const listed = listedZones();
  const sameLetters = listed.find((name) => name.toLowerCase() === lower);
  if (sameLetters === text) return text;
  if (sameLetters) throw fault("is not spelled as IANA spells it", sameLetters);
  const known = canonicalName(text.trim());
  if (known === undefined) throw fault("does not exist", cityNamed(lower) ?? nearestZone(text));
  if (!text.includes("/")) throw fault("is no Area/City", known);
  const spelled = asSpelled(text);
  if (spelled !== text) throw fault("is not spelled as IANA spells it", spelled);
  return text;
}

let zones: readonly string[] | undefined;

/** One name of each zone: other names of the same zone (Asia/Kolkata beside Asia/Calcutta) are valid but not listed. */
function listedZones(): readonly string[] {
  zones ??= Intl.supportedValuesOf("timeZone");
  return zones;
}

function canonicalName(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function cityNamed(lower: string): string | undefined {
  const city = lower.replace(/\s+/g, "_");
  return listedZones().find((name) => name.toLowerCase().endsWith(`/${city}`));
}

function nearestZone(text: string): string | undefined {
  return nearest(text.replace(/\s+/g, "_"), listedZones());
}

// Names that are not listed come without their spelling: the runtime takes them in any case. IANA writes each word with a
// capital, except for a few small ones; inner capitals (EasterIsland) and short all-capitals (NSW) are left as typed.
function asSpelled(text: string): string {
  return text.trim().replace(/[A-Za-z]+/g, (word) => {
    if (/^(of|au|es)$/i.test(word)) return word.toLowerCase();
    const shouted = word.length > 3 && word === word.toUpperCase();
    return word[0]!.toUpperCase() + (shouted ? word.slice(1).toLowerCase() : word.slice(1));
  });
}
