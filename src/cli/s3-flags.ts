import type { Command } from "commander";

/** The flags of commands that open a lake or a mart which may be on S3. `staging`: of those that read a lake's files. */
export function withS3Flags(command: Command, { staging = false } = {}): Command {
  command
    .optionsGroup("On S3:")
    .option("--region <name>", "the bucket's region (default: that of environment or profile)")
    .option("--endpoint <url>", "a store other than Amazon's; then --path-style is the default")
    .option("--path-style", "address buckets as endpoint/bucket")
    .option("--request-payer", "pay for the requests to buckets that ask for it")
    .option("--sse-kms-key <id>", "encrypt what is written with this KMS key");
  if (!staging) return command;
  return command
    .option("--download-concurrency <n>", "objects of the lake that are fetched at once (default: 8)")
    .option(
      "--staging-limit <size>",
      "most bytes of the lake that lie in --temp-dir at once (default: half of what is free)",
    );
}
