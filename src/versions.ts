import { readFileSync } from "node:fs";

interface PackageFile {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

function ownPackage(): PackageFile {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as PackageFile;
}

/** The tool's own version. */
export function toolVersion(): string {
  return ownPackage().version;
}

/** The engine and its version, which is pinned exactly: `duckdb 1.5.6`. */
export function engineVersion(): string {
  return `duckdb ${ownPackage().dependencies["@duckdb/node-api"]?.replace(/-r\.\d+$/, "")}`;
}
