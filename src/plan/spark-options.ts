import type { OptionValues } from "./option-table.ts";

/** How Spark is reached, and where its jobs lie. */
export interface SparkOptions {
  /** Words of a shell command that submits a Python script with its arguments. */
  readonly submit: string;
  /** A folder or `s3://…` that this machine and Spark both reach; null for the run's private folder. */
  readonly dir: string | null;
  /** Where jobs are written instead of being run; null: they are run. */
  readonly emit: string | null;
}

export function sparkOptions(values: OptionValues, env: Readonly<Record<string, string | undefined>>): SparkOptions {
  const home = env.SPARK_HOME;
  const own = home ? `'${home.replaceAll("'", "'\\''")}/bin/spark-submit'` : "spark-submit";
  // In a config file it may go over several lines.
  const submit = values.sparkSubmit?.trim().replaceAll(/\s*\n\s*/g, " ") ?? own;
  return { submit, dir: values.sparkDir ?? null, emit: values.emit ?? null };
}
