import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { SPARK_HOME, SPARK_PYTHON } from "./spark-home.ts";

/** A standalone cluster on this machine: a master and workers of one core each, as processes of their own. */
export interface StandaloneCluster {
  /** `spark://…` */
  readonly master: string;
  /** Ends a worker at once, and with it its executor. */
  killWorker(index: number): void;
  stop(): Promise<void>;
}

/** The PyPI package has no sbin/start-master.sh; this is what that starts. */
const MASTER = "org.apache.spark.deploy.master.Master";
const WORKER = "org.apache.spark.deploy.worker.Worker";

export async function startCluster(folder: string, workers: number): Promise<StandaloneCluster> {
  const port = await freePort();
  const master = `spark://127.0.0.1:${port}`;
  const processes: ChildProcess[] = [];
  const start = (className: string, args: string[], ready: RegExp) =>
    new Promise<ChildProcess>((resolve, reject) => {
      const child = spawn(join(SPARK_HOME, "bin/spark-class"), [className, ...args], {
        env: { ...process.env, SPARK_LOCAL_IP: "127.0.0.1", SPARK_DAEMON_MEMORY: "512m", PYSPARK_PYTHON: SPARK_PYTHON },
        stdio: ["ignore", "ignore", "pipe"],
        detached: true,
      });
      processes.push(child);
      let said = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-20_000);
        if (ready.test(said)) resolve(child);
      });
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`${className} ended with ${code}: ${said.slice(-2_000)}`)));
    });
  await start(
    MASTER,
    ["--host", "127.0.0.1", "--port", String(port), "--webui-port", "0"],
    /I have been elected leader/,
  );
  const started: ChildProcess[] = [];
  for (let index = 0; index < workers; index++) {
    const work = join(folder, `worker-${index}`);
    mkdirSync(work, { recursive: true });
    const args = [
      "--host",
      "127.0.0.1",
      "--webui-port",
      "0",
      "--cores",
      "1",
      "--memory",
      "1g",
      "--work-dir",
      work,
      master,
    ];
    started.push(await start(WORKER, args, /Successfully registered with master/));
  }
  return {
    master,
    killWorker: (index) => killGroup(started[index]!, "SIGKILL"),
    async stop() {
      const ended = processes.map((child) =>
        child.exitCode !== null || child.signalCode !== null
          ? null
          : new Promise((resolve) => child.once("exit", resolve)),
      );
      for (const child of processes.toReversed()) killGroup(child, "SIGTERM");
      await Promise.all(ended);
    },
  };
}

/** A worker's executors are in its group. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
