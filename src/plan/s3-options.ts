import type { OptionValues } from "./option-table.ts";

/** How S3 is reached, for list, read and write alike. Credentials are none of it: the SDK's standard chain finds them. */
export interface S3Options {
  /** Null for what environment or profile say. */
  readonly region: string | null;
  /** URL of a store other than AWS; null for what environment or profile say, or AWS. */
  readonly endpoint: string | null;
  /** `endpoint/bucket/key` rather than `bucket.endpoint/key`. */
  readonly pathStyle: boolean;
  /** The reader pays for requests to buckets that ask for it. */
  readonly requestPayer: boolean;
  /** Key that new objects are encrypted by; null for the bucket's own default. */
  readonly sseKmsKey: string | null;
  readonly downloadConcurrency: number;
  /** Most bytes of the lake that may lie in the private folder at once; null for half of what the disk has free. */
  readonly stagingLimitBytes: number | null;
}

export const DEFAULT_S3: S3Options = {
  region: null,
  endpoint: null,
  pathStyle: false,
  requestPayer: false,
  sseKmsKey: null,
  downloadConcurrency: 8,
  stagingLimitBytes: null,
};

export function s3Options(values: OptionValues): S3Options {
  const endpoint = values.endpoint ?? null;
  return {
    region: values.region ?? null,
    endpoint,
    // Stores other than AWS rarely have a name in the DNS for each bucket.
    pathStyle: values.pathStyle ?? endpoint !== null,
    requestPayer: values.requestPayer ?? false,
    sseKmsKey: values.sseKmsKey ?? null,
    downloadConcurrency: values.downloadConcurrency ?? DEFAULT_S3.downloadConcurrency,
    stagingLimitBytes: values.stagingLimit ?? null,
  };
}
