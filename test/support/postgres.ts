import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** A PostgreSQL server of one's own (Debian's package `postgresql`), on a free port of this machine. */
export interface Postgres {
  /** With the password of its user. */
  readonly url: string;
  query<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  stop(): Promise<void>;
}

const DEBIAN = "/usr/lib/postgresql";

export async function startPostgres(): Promise<Postgres> {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  if (versions.length === 0) throw new Error("no PostgreSQL: apt-get install --no-install-recommends postgresql");
  const bin = join(DEBIAN, versions.sort((a, b) => Number(a) - Number(b)).at(-1)!, "bin");
  const folder = mkdtempSync(join(tmpdir(), "presence-postgres-"));
  const data = join(folder, "data");
  // The server refuses to be run by root.
  const owner = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "analyst", "--auth=trust", "--encoding=UTF8", "--no-sync"], {
    ...owner,
    cwd: "/",
    stdio: "pipe",
  });
  const port = await freePort();
  const options = ["-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"];
  const server = spawn(join(bin, "postgres"), options, { ...owner, cwd: "/", stdio: "ignore" });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const url = `postgres://analyst:sesame@127.0.0.1:${port}/postgres`;
  const client = await connected(url);
  return {
    url,
    query: async (sql, values) => (await client.query(sql, values)).rows,
    async stop() {
      await client.end();
      // Disconnects whoever is left.
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

const idOf = (which: "-u" | "-g"): number => Number(execFileSync("id", [which, "postgres"], { encoding: "utf8" }));

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

async function connected(url: string): Promise<pg.Client> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
