import type { S3Client } from "@aws-sdk/client-s3";
import type { S3Options } from "../plan/s3-options.ts";

export type Sdk = typeof import("@aws-sdk/client-s3");

export interface Connection {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

/** Time to connect, and until an answer begins: whoever is slower is tried again. */
const CONNECT_MS = 10_000;

/** The one client configuration. Loads the SDK, which takes a second: only what needs S3 calls this. */
export async function connect(options: S3Options, answerMs: number): Promise<Connection> {
  const sdk = await import("@aws-sdk/client-s3");
  const make = (region: string | null) =>
    new sdk.S3Client({
      ...(region === null ? {} : { region }),
      ...(options.endpoint === null ? {} : { endpoint: options.endpoint }),
      forcePathStyle: options.pathStyle,
      // Never away from an endpoint that was named.
      followRegionRedirects: options.endpoint === null,
      // One place tries again (s3-retries.ts): it must know that it does, for writes that are to happen once.
      maxAttempts: 1,
      // Other stores do not know the SDK's trailing checksums; bodies are covered by the signature's SHA-256.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_SUPPORTED",
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: answerMs, throwOnRequestTimeout: true },
      // The SDK's own warnings would land between the lines of the run.
      logger: SILENT,
    });
  const client = make(options.region);
  try {
    await client.config.region();
    return { sdk, client };
  } catch {
    client.destroy();
    // Nobody names one: stores other than AWS do not care, and AWS redirects.
    return { sdk, client: make("us-east-1") };
  }
}

const nothing = () => {};
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** When the credentials that the standard chain finds end; null for never. Rejects where it finds none. */
export async function credentialsUntil(options: S3Options): Promise<Date | null> {
  const { client } = await connect(options, CONNECT_MS);
  try {
    return (await client.config.credentials()).expiration ?? null;
  } finally {
    client.destroy();
  }
}
