import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("ceph-rgw.sh", import.meta.url));

export interface S3Server {
  readonly endpoint: string;
  /** The same server with TLS. */
  readonly secure: { readonly endpoint: string; readonly certificate: string };
  stop(): void;
}

/**
 * An S3 server on this machine: Ceph's gateway, because it checks signatures, has conditional writes with one winner, and many companies'
 * own S3 is one. It comes with Debian and starts in 13 s.
 */
export async function startServer(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "ceph-rgw-"));
  const port = await freePort();
  execFileSync("bash", [SCRIPT, "start", folder, String(port)], { stdio: ["ignore", "ignore", "inherit"] });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    secure: { endpoint: `https://127.0.0.1:${port + 1}`, certificate: join(folder, "tls.crt") },
    stop() {
      execFileSync("bash", [SCRIPT, "stop", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With the three after it free, too, as good as certainly: below the range that systems give out. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
