import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { tempFolder } from "../publish/small-lake.ts";
import { runCommand } from "../support/command.ts";
import { fakeS3 } from "./s3-tools.ts";

/**
 * Where credentials come from is the SDK's business; these tests see that it is asked, each source on its own, by a server that plays STS, SSO
 * and the metadata services of containers and instances. Nothing but that source is there to be found.
 */
const server = fakeS3();
const issued = { asked: [] as string[], lastsMs: 3_600_000 };
const SECRET = "a-secret-that-nobody-prints";
const IDENTITY_TOKEN = "a-web-identity-token";

const issuer = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  issued.asked.push(`${request.method} ${request.url}`);
  const answer = answerTo(request, Buffer.concat(chunks).toString());
  response.writeHead(answer === null ? 404 : 200);
  response.end(answer ?? "");
});
let url = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
});
beforeEach(() => {
  issued.asked.length = 0;
  issued.lastsMs = 3_600_000;
  server.set("lake/events/event_date=2024-01-15/event_hour=10/a.parquet", "");
});
afterAll(() => issuer.close());

function answerTo(request: IncomingMessage, body: string): string | null {
  const until = new Date(Date.now() + issued.lastsMs);
  const keys = (id: string) =>
    JSON.stringify({
      Code: "Success",
      AccessKeyId: id,
      SecretAccessKey: SECRET,
      Token: `${id}-token`,
      Expiration: until,
    });
  const { pathname } = new URL(request.url!, url);
  switch (`${request.method} ${pathname}`) {
    case "GET /container":
      return request.headers.authorization === "container-token" ? keys("CONTAINER") : null;
    case "PUT /latest/api/token":
      return "imds-token";
    case "GET /latest/meta-data/iam/security-credentials/":
      return request.headers["x-aws-ec2-metadata-token"] === "imds-token" ? "role" : null;
    case "GET /latest/meta-data/iam/security-credentials/role":
      return request.headers["x-aws-ec2-metadata-token"] === "imds-token" ? keys("INSTANCE") : null;
    case "GET /federation/credentials": {
      if (request.headers["x-amz-sso_bearer_token"] !== "sso-token") return null;
      const roleCredentials = {
        accessKeyId: "SSO",
        secretAccessKey: SECRET,
        sessionToken: "SSO-token",
        expiration: until.getTime(),
      };
      return JSON.stringify({ roleCredentials });
    }
    case "POST /": {
      const asked = new URLSearchParams(body);
      if (asked.get("WebIdentityToken") !== IDENTITY_TOKEN) return null;
      return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
        <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>WEBIDENTITY</AccessKeyId>
        <SecretAccessKey>${SECRET}</SecretAccessKey><SessionToken>WEBIDENTITY-token</SessionToken>
        <Expiration>${until.toISOString()}</Expiration></Credentials></AssumeRoleWithWebIdentityResult>
        </AssumeRoleWithWebIdentityResponse>`;
    }
    default:
      return null;
  }
}

/** Lists the lake with no credentials but those that the environment leads to; gives the id that signed the requests. */
async function signedBy(env: Record<string, string>): Promise<string> {
  const home = env.HOME ?? tempFolder("home-");
  const offline = { HOME: home, AWS_REGION: "eu-central-1", AWS_EC2_METADATA_DISABLED: "true" };
  const lake = ["--lake", "s3://lake/events", "--endpoint", server.endpoint, "--missing-hours", "24"];
  const plan = ["rebuild", "--dry-run", "--date", "2024-01-15", "--tz", "UTC", ...lake, "--out", join(home, "mart")];
  const ran = await runCommand(plan, { env: { ...offline, ...env } });
  expect(ran, JSON.stringify(ran)).toMatchObject({ code: 0 });
  expect(ran.stdout + ran.stderr).not.toContain(SECRET);
  const ids = server.seen.map(({ headers }) => {
    const id = /Credential=([^/]+)\//.exec(headers.authorization ?? "")?.[1];
    expect(headers["x-amz-security-token"]).toBe(`${id}-token`);
    return id;
  });
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(1);
  return ids[0]!;
}

test("environment", async () => {
  const env = { AWS_ACCESS_KEY_ID: "ENV", AWS_SECRET_ACCESS_KEY: SECRET, AWS_SESSION_TOKEN: "ENV-token" };
  expect(await signedBy(env)).toBe("ENV");
});

test("profile", async () => {
  const home = tempFolder("home-");
  mkdirSync(join(home, ".aws"));
  const lines = [
    "[etl]",
    "aws_access_key_id=PROFILE",
    `aws_secret_access_key=${SECRET}`,
    "aws_session_token=PROFILE-token",
  ];
  writeFileSync(join(home, ".aws/credentials"), lines.join("\n"));
  expect(await signedBy({ HOME: home, AWS_PROFILE: "etl" })).toBe("PROFILE");
});

test("SSO, as aws sso login has left it", async () => {
  const home = tempFolder("home-");
  mkdirSync(join(home, ".aws/sso/cache"), { recursive: true });
  const profile = ["[profile etl]", "sso_session=work", "sso_account_id=123456789012", "sso_role_name=etl"];
  const session = ["[sso-session work]", "sso_start_url=https://example.com/start", "sso_region=eu-central-1"];
  writeFileSync(join(home, ".aws/config"), [...profile, ...session].join("\n"));
  const cache = createHash("sha1").update("work").digest("hex");
  const token = { accessToken: "sso-token", expiresAt: new Date(Date.now() + 3_600_000) };
  writeFileSync(join(home, `.aws/sso/cache/${cache}.json`), JSON.stringify(token));
  expect(await signedBy({ HOME: home, AWS_PROFILE: "etl", AWS_ENDPOINT_URL_SSO: url })).toBe("SSO");
  expect(issued.asked).toEqual(["GET /federation/credentials?account_id=123456789012&role_name=etl"]);
});

test("web identity, as in a Kubernetes pod", async () => {
  const file = join(tempFolder("token-"), "token");
  writeFileSync(file, IDENTITY_TOKEN);
  const env = {
    AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/etl",
    AWS_WEB_IDENTITY_TOKEN_FILE: file,
    AWS_ENDPOINT_URL_STS: url,
  };
  expect(await signedBy(env)).toBe("WEBIDENTITY");
  expect(issued.asked).toEqual(["POST /"]);
});

test("container, renewed when they are about to end", async () => {
  issued.lastsMs = 60_000;
  const env = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: "container-token",
  };
  expect(await signedBy(env)).toBe("CONTAINER");
  expect(issued.asked.length).toBeGreaterThan(1);
  issued.asked.length = 0;
  issued.lastsMs = 3_600_000;
  await signedBy(env);
  expect(issued.asked).toEqual(["GET /container"]);
});

test("instance", async () => {
  const env = { AWS_EC2_METADATA_DISABLED: "false", AWS_EC2_METADATA_SERVICE_ENDPOINT: url };
  expect(await signedBy(env)).toBe("INSTANCE");
});
