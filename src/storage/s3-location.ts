/** A bucket, and the prefix below which a lake or mart lies: empty, or ending in `/`. */
export interface S3Location {
  readonly bucket: string;
  readonly prefix: string;
  /** `s3://bucket/prefix`, without a slash at its end. */
  readonly url: string;
}

export const isS3 = (location: string): boolean => location.startsWith("s3://");

export function parseS3(location: string): S3Location {
  const [, bucket = "", path = ""] = /^s3:\/\/([^/]+)\/*(.*)$/s.exec(location) ?? [];
  const prefix = path.replace(/\/+$/, "");
  return {
    bucket,
    prefix: prefix === "" ? "" : `${prefix}/`,
    url: `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`,
  };
}
