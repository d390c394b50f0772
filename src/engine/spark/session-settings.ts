/**
 * Session settings on which results depend, whatever the cluster's defaults say: time zone, overflow as an error, what a timestamp is,
 * which names are equal, how literals and text compare, how times are read and written, and that a bad or missing file is never
 * passed over; and some on which only the time depends.
 */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  "spark.sql.session.timeZone": "UTC",
  "spark.sql.ansi.enabled": "true",
  "spark.sql.ansi.enforceReservedKeywords": "false",
  "spark.sql.ansi.doubleQuotedIdentifiers": "false",
  "spark.sql.timestampType": "TIMESTAMP_LTZ",
  "spark.sql.caseSensitive": "true",
  "spark.sql.session.collation.default": "UTF8_BINARY",
  "spark.sql.variable.substitute": "false",
  "spark.sql.parser.escapedStringLiterals": "false",
  "spark.sql.legacy.consecutiveStringLiterals.enabled": "false",
  "spark.sql.legacy.timeParserPolicy": "CORRECTED",
  // Row numbers of a file come from the first version of Spark's sources only.
  "spark.sql.sources.useV1SourceList": "avro,csv,json,kafka,orc,parquet,text",
  "spark.sql.legacy.parquet.nanosAsLong": "true",
  "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
  "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
  "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
  "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MILLIS",
  "spark.sql.parquet.compression.codec": "zstd",
  "spark.sql.parquet.fieldId.read.enabled": "false",
  "spark.sql.files.ignoreCorruptFiles": "false",
  "spark.sql.files.ignoreMissingFiles": "false",
  "spark.sql.adaptive.enabled": "true",
  // Tasks put their files in place themselves: what is half written is never read, and in a bucket each rename is a copy.
  "mapreduce.fileoutputcommitter.algorithm.version": "2",
  // Part files of a good size rather than one for every core.
  "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
};
