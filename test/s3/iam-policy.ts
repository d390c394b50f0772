import { readFileSync } from "node:fs";
import type { SeenRequest } from "./fake-s3.ts";

interface Statement {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Action: string | readonly string[];
  readonly Resource: string;
  readonly Condition?: { readonly StringLike: { readonly "s3:prefix": readonly string[] } };
}

export interface Policy {
  readonly Version: string;
  readonly Statement: readonly Statement[];
}

/** What one request needs to be allowed: an action on a resource, by AWS's list of the actions behind each operation. */
export interface Needed {
  readonly action: string;
  readonly resource: string;
  /** Of listings. */
  readonly prefix: string | null;
}

/** The policies that the README shows, in their order. */
export function readmePolicies(): Policy[] {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  return [...readme.matchAll(/^```json\n(.*?)^```$/gms)]
    .map(([, text]) => JSON.parse(text!) as Policy)
    .filter(({ Statement }) => Array.isArray(Statement));
}

export function neededFor({ method, bucket, key, query, headers }: SeenRequest): Needed[] {
  const arn = `arn:aws:s3:::${bucket}`;
  const on = (action: string, resource = `${arn}/${key}`): Needed => ({ action, resource, prefix: null });
  if (key === "") {
    const action = query.has("uploads") ? "s3:ListBucketMultipartUploads" : "s3:ListBucket";
    return [{ action, resource: arn, prefix: query.get("prefix") ?? "" }];
  }
  const source = headers["x-amz-copy-source"];
  switch (method) {
    case "GET":
    case "HEAD":
      return [on("s3:GetObject")];
    case "DELETE":
      return [on(query.has("uploadId") ? "s3:AbortMultipartUpload" : "s3:DeleteObject")];
    default:
      // Beginning, filling and completing an upload are all s3:PutObject.
      return source === undefined
        ? [on("s3:PutObject")]
        : [on("s3:GetObject", `arn:aws:s3:::${decodeURIComponent(String(source))}`), on("s3:PutObject")];
  }
}

/** `Sid action` of all that a policy allows. */
export function grantsOf({ Statement }: Policy): string[] {
  return Statement.flatMap(({ Sid, Action }) => [Action].flat().map((action) => `${Sid} ${action}`));
}

/** The grant of a policy that allows it; null where none does. */
export function grantFor({ Statement }: Policy, { action, resource, prefix }: Needed): string | null {
  const found = Statement.find(
    ({ Action, Resource, Condition }) =>
      [Action].flat().includes(action) &&
      isLike(resource, Resource) &&
      (!Condition || (prefix !== null && Condition.StringLike["s3:prefix"].some((each) => isLike(prefix, each)))),
  );
  return found ? `${found.Sid} ${action}` : null;
}

/** IAM's own wildcards. */
function isLike(text: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "s").test(text);
}
