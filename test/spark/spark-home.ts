/** Spark as .ci/spark installs it, outside of the repository. Without it these tests fail: nothing is skipped for want of it. */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export const SPARK_VERSION = "4.3.0";
const ROOT = process.env.PRESENCE_SPARK ?? join(homedir(), `.cache/presence-batch/spark-${SPARK_VERSION}`);
export const SPARK_HOME = join(ROOT, "home");
export const SPARK_PYTHON = join(ROOT, "bin/python");

/** The words of `--spark-submit`. */
export function sparkSubmit(master: string, ...more: string[]): string {
  if (!existsSync(SPARK_HOME)) throw new Error(`no Spark ${SPARK_VERSION} in ${SPARK_HOME}: run .ci/spark`);
  const submit = `env PYSPARK_PYTHON=${SPARK_PYTHON} SPARK_LOCAL_IP=127.0.0.1 ${SPARK_HOME}/bin/spark-submit`;
  const quiet = "--conf spark.ui.enabled=false --conf spark.log.level=ERROR";
  return [submit, `--master '${master}'`, quiet, ...more].join(" ");
}

/** For small jobs: little to shuffle, and no second look of the compiler at what is run once. None of it changes a result. */
export const SMALL = [
  "--conf spark.sql.shuffle.partitions=2 --conf spark.default.parallelism=2 --driver-memory 2g",
  "--driver-java-options '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:MetaspaceSize=512m'",
].join(" ");

/** For statements that are run once over a few rows: they are interpreted instead of compiled. */
export const INTERPRETED = "--conf spark.sql.codegen.wholeStage=false --conf spark.sql.codegen.factoryMode=NO_CODEGEN";

/** Words that let Spark read and write s3a://, as `--packages org.apache.hadoop:hadoop-aws:…` does, with what is here already. */
export function s3aJars(): string {
  const folder = join(ROOT, "s3a");
  if (!existsSync(folder)) throw new Error(`no jars of S3A in ${folder}: run .ci/spark`);
  return `--jars ${readdirSync(folder)
    .map((jar) => join(folder, jar))
    .join(",")}`;
}
