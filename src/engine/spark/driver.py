"""Runs jobs of presence-batch on Apache Spark: spark-submit driver.py JOB...

A JOB is the path of a job.json that presence-batch has written, on any file system that Spark reaches. All that a job makes goes below
the folder of its job.json: first a folder for this attempt, and last of all `result`, without which the job counts as not done. What
is counted, and how, is in the job; nothing here knows of it.
"""

import json
import re
import sys
import time
import traceback
import uuid
from urllib.parse import unquote

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

FORMAT = 1


def main(paths):
    spark = SparkSession.builder.appName("presence-batch").getOrCreate()
    failures = sum(not succeeds(spark, path) for path in paths)
    spark.stop()
    sys.exit(1 if failures else 0)


def succeeds(spark, path):
    job = Job(spark, path)
    try:
        job.run()
        return True
    except Exception as error:
        traceback.print_exc()
        failure = {"job": path, "step": job.step, "error": str(error)}
        tell("failed", failure)
        job.leave(failure)
        return False
    finally:
        job.forget()


def tell(what, value):
    """A line of its own on stdout, which presence-batch reads."""
    print(f"presence-batch {what} {json.dumps(value)}", flush=True)


def escaped(path):
    """A path in which nothing is a pattern."""
    return re.sub(r"([\\{}\[\]*?])", r"\\\1", path)


def plain(path):
    """file:///x, file:/x and /x are one file."""
    return re.sub(r"^file:/+", "/", path)


class Job:
    def __init__(self, spark, path):
        self.spark = spark
        self.path = path
        self.folder = path.rsplit("/", 1)[0] if "/" in path else "."
        # Fresh, so that a second try finds nothing of one that was killed.
        self.attempt = f"attempt-{uuid.uuid4().hex[:12]}"
        self.step = "job"
        self.views = []
        self.profile = []

    def run(self):
        text = self.spark.read.option("wholetext", True).text(escaped(self.path)).first()[0]
        job = json.loads(text)
        if job["format"] != FORMAT:
            raise ValueError(f"the job's format is {job['format']}, this driver's {FORMAT}: run the driver.py beside the job")
        for name, value in job["settings"].items():
            self.spark.conf.set(name, value)
        for table in job["tables"]:
            self.view(table["relation"], self.spark.sql(table["sql"]))
        values, stopped = self.gate(job["gate"])
        bad = [row["file_no"] for row in values if row["is_bad"]]
        self.view("bad_files", self.rows("file_no: bigint", [{"file_no": number} for number in bad]))
        for scan in [] if stopped else job["scans"]:
            self.step = scan["relation"]
            rows = self.scan(scan["columns"], scan["files"])
            self.view(scan["relation"], rows.where(~rows["file_no"].isin(bad)) if bad else rows)
        answers = {} if stopped else self.count(job)
        self.step = "result"
        self.write_text(
            "result",
            {
                "format": FORMAT,
                "job": job["job"],
                "attempt": self.attempt,
                "spark": self.spark.version,
                "values": values,
                "stopped": stopped,
                "answers": answers,
                "steps": self.profile,
            },
        )

    def count(self, job):
        for step in job["steps"]:
            self.enter(step["stage"], step["relation"])
            started = time.monotonic()
            self.make(step)
            seconds = time.monotonic() - started
            self.profile.append({"stage": step["stage"], "step": step["relation"], "seconds": seconds})
        answers = {}
        for answer in job["answers"]:
            self.enter("checks", answer["name"])
            answers[answer["name"]] = [row.asDict() for row in self.spark.sql(answer["sql"]).collect()]
        for output in job["outputs"]:
            self.enter("writing", output["name"])
            self.write(output)
        return answers

    def enter(self, stage, step):
        self.step = step
        tell("stage", {"job": self.path, "stage": stage})

    def view(self, name, frame):
        frame.createOrReplaceTempView(name)
        self.views.append(name)

    def forget(self):
        for name in self.views:
            self.spark.catalog.dropTempView(name)

    def scan(self, columns, files):
        """Columns of files that are read alike, each row with file_no, hour_ms and row_index."""
        reader = self.spark.read.option("recursiveFileLookup", "true")
        if all(column["type"] for column in columns):
            fields = ", ".join(f"{quoted(column['name'])} {column['type']}" for column in columns)
            reader = reader.schema(fields if columns else StructType())
        numbers = {plain(file["path"]): file for file in files}
        frame = reader.parquet(*[escaped(file["path"]) for file in files])
        urls = {url: numbers.get(plain(unquote(url))) for url in frame.inputFiles()}
        if len(urls) != len(files) or None in urls.values():
            lost = set(numbers) - {plain(unquote(url)) for url in urls}
            raise FileNotFoundError(f"Spark finds {len(urls)} files instead of {len(files)}; not {sorted(lost)[:3]}")
        metadata = frame.metadataColumn("_metadata")
        named = [frame[quoted(column["name"])].alias(column["as"]) for column in columns]
        row = metadata["row_index"].alias("row_index")
        if len(files) == 1:
            number, hour = files[0]["fileNo"], files[0]["hourMs"]
            return frame.select(*named, F.lit(number).cast("bigint").alias("file_no"), F.lit(hour).cast("bigint").alias("hour_ms"), row)
        places = self.rows(
            "url: string, file_no: bigint, hour_ms: bigint",
            [
                # Listed as file:///x, but file:/x to the rows.
                {"url": re.sub("^file:/+", "file:/", url), "file_no": file["fileNo"], "hour_ms": file["hourMs"]}
                for url, file in urls.items()
            ],
        )
        located = frame.select(*named, metadata["file_path"].alias("url"), row)
        number = F.coalesce("file_no", F.raise_error(F.concat(F.lit("not a file of the job: "), "url")).cast("bigint"))
        return located.join(F.broadcast(places), "url", "left").withColumn("file_no", number).drop("url")

    def rows(self, schema, rows):
        """A small relation, made without a Python process on any executor."""
        parsed = f"from_json(:rows, 'array<struct<{schema}>>')"
        return self.spark.sql(f"select inline({parsed})", args={"rows": json.dumps(rows)})

    def gate(self, gate):
        """What the values of files tell of them, and whether that ends the job."""
        if gate is None:
            return [], False
        for scan in gate["scans"]:
            self.view(scan["relation"], self.scan(scan["columns"], scan["files"]))
        self.step = "values"
        values = [row.asDict() for row in self.spark.sql(gate["sql"]).collect()]
        return values, gate["stop"] and any(row["is_bad"] for row in values)

    def make(self, step):
        frame = self.spark.sql(step["sql"])
        if step["keep"] == "empty":
            frame = frame.limit(0)
        if step["keep"] == "table":
            # Written and read again: what was computed once stays as it is, whichever executors are lost.
            path = f"{self.folder}/{self.attempt}/tables/{step['relation']}"
            frame.write.parquet(path)
            frame = self.spark.read.schema(frame.schema).parquet(escaped(path))
        self.view(step["relation"], frame)

    def write(self, output):
        writer = self.spark.sql(output["sql"]).write
        if output["partition"]:
            writer = writer.partitionBy(output["partition"])
        writer.parquet(f"{self.folder}/{self.attempt}/output/{output['name']}")

    def write_text(self, name, value):
        text = self.spark.sql("select :value as value", args={"value": json.dumps(value)})
        text.coalesce(1).write.mode("error").text(f"{self.folder}/{name}")

    def leave(self, failure):
        """For whoever cannot see the output: on a cluster the driver may run anywhere."""
        try:
            self.write_text(f"{self.attempt}/failure", failure)
        except Exception:
            traceback.print_exc()


def quoted(name):
    return "`" + name.replace("`", "``") + "`"


if __name__ == "__main__":
    main(sys.argv[1:])
