import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * What the server does with one request instead of answering as it should: another status and error code, a connection that breaks before
 * or after the request took effect, a body that stalls or is cut short, another ETag than the listed one, or a whole object where a part was
 * asked for.
 */
export type Fault =
  | { readonly status: number; readonly code: string }
  | "lost-before"
  | "lost-after"
  | "stall"
  | "truncate"
  | "flip"
  | "wrong-etag"
  | "unconditional"
  | "no-ranges";

export interface SeenRequest {
  readonly method: string;
  readonly bucket: string;
  /** Empty for requests to the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

interface Stored {
  readonly body: Buffer;
  readonly etag: string;
  readonly modified: Date;
}

/** An S3 server of a few requests, in memory, for what a real one does not do on demand. Signatures are not checked. */
export class FakeS3 {
  readonly objects = new Map<string, Stored>();
  readonly uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  readonly seen: SeenRequest[] = [];
  /** Asked before each request. */
  fault: (request: SeenRequest) => Fault | null = () => null;
  /** Waited for before each answer. */
  delay: (request: SeenRequest) => Promise<void> = async () => {};
  endpoint = "";
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.endpoint = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** `bucket/key`. */
  set(path: string, body: Buffer | string): void {
    const bytes = Buffer.from(body);
    this.objects.set(path, { body: bytes, etag: md5(bytes), modified: new Date() });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const url = new URL(request.url!, this.endpoint);
    const [, bucket = "", key = ""] = /^\/([^/]*)\/?(.*)$/s.exec(decodeURIComponent(url.pathname)) ?? [];
    const { method = "", headers } = request;
    const asked = { method, bucket, key, query: url.searchParams, headers };
    this.seen.push(asked);
    const fault = this.fault(asked);
    if (fault === "lost-before") return void request.socket.destroy();
    if (typeof fault === "object" && fault) return send(response, error(fault.status, fault.code));
    await this.delay(asked);
    if (fault === "no-ranges") delete headers.range;
    const answer = this.#answer(asked, Buffer.concat(chunks), fault === "unconditional");
    if (fault === "lost-after") return void request.socket.destroy();
    if (fault === "wrong-etag") answer.headers = { ...answer.headers, ETag: `"${md5(Buffer.from("another"))}"` };
    if (fault !== "stall" && fault !== "truncate" && fault !== "flip") return send(response, answer, method === "HEAD");
    const body = Buffer.from(answer.body ?? "");
    if (fault === "flip") {
      body[body.length >> 1]! ^= 1;
      return send(response, { ...answer, body });
    }
    response.writeHead(answer.status, { ...answer.headers, "Content-Length": body.length });
    response.write(body.subarray(0, body.length >> 1), () => fault === "truncate" && request.socket.destroy());
  }

  #answer(request: SeenRequest, body: Buffer, unconditional: boolean): Answer {
    const { method, bucket, key, query, headers } = request;
    const path = `${bucket}/${key}`;
    if (key === "") return query.has("uploads") ? this.#listUploads(bucket, query) : this.#list(bucket, query);
    if (query.has("uploads")) {
      const id = `upload-${this.uploads.size + 1}-${Math.random().toString(36).slice(2)}`;
      this.uploads.set(id, { key: path, parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const upload = query.get("uploadId");
    if (upload !== null) return this.#part(method, upload, query, headers, body);
    const found = this.objects.get(path);
    switch (method) {
      case "PUT": {
        const source = headers["x-amz-copy-source"];
        if (source !== undefined) return this.#copy(String(source), path);
        if (headers["if-none-match"] === "*" && found && !unconditional) return error(412, "PreconditionFailed");
        this.set(path, body);
        return { status: 200, headers: { ETag: `"${md5(body)}"` } };
      }
      case "DELETE":
        this.objects.delete(path);
        return { status: 204 };
      default: {
        if (!found) return error(404, "NoSuchKey");
        const match = headers["if-match"];
        if (match !== undefined && match !== `"${found.etag}"`) return error(412, "PreconditionFailed");
        const told = { ETag: `"${found.etag}"`, "Last-Modified": found.modified.toUTCString() };
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
        if (from === undefined) return { status: 200, headers: told, body: found.body };
        const range = `bytes ${from}-${Math.min(Number(to), found.body.length - 1)}/${found.body.length}`;
        const body = found.body.subarray(Number(from), Number(to) + 1);
        return { status: 206, headers: { ...told, "Content-Range": range }, body };
      }
    }
  }

  #copy(source: string, path: string): Answer {
    const from = this.objects.get(decodeURIComponent(source.replace(/^\//, "")));
    if (!from) return error(404, "NoSuchKey");
    this.set(path, from.body);
    return xml(`<CopyObjectResult><ETag>"${from.etag}"</ETag></CopyObjectResult>`);
  }

  #part(method: string, id: string, query: URLSearchParams, headers: SeenRequest["headers"], body: Buffer): Answer {
    const upload = this.uploads.get(id);
    if (!upload) return error(404, "NoSuchUpload");
    if (method === "DELETE") {
      this.uploads.delete(id);
      return { status: 204 };
    }
    if (method === "PUT") {
      const source = headers["x-amz-copy-source"];
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(String(headers["x-amz-copy-source-range"])) ?? [];
      const copied = source && this.objects.get(decodeURIComponent(String(source)))?.body;
      const part = copied ? copied.subarray(Number(from), Number(to) + 1) : body;
      upload.parts.set(Number(query.get("partNumber")), part);
      if (copied) return xml(`<CopyPartResult><ETag>"${md5(part)}"</ETag></CopyPartResult>`);
      return { status: 200, headers: { ETag: `"${md5(part)}"` } };
    }
    const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part);
    const whole = Buffer.concat(parts);
    this.objects.set(upload.key, { body: whole, etag: `${md5(whole)}-${parts.length}`, modified: new Date() });
    this.uploads.delete(id);
    return xml("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
  }

  #list(bucket: string, query: URLSearchParams): Answer {
    const prefix = query.get("prefix") ?? "";
    const delimiter = query.get("delimiter");
    const after = Buffer.from(query.get("continuation-token") ?? "", "base64").toString();
    const most = Number(query.get("max-keys") ?? 1000);
    const rows = new Map<string, string>();
    const keys = [...this.objects.keys()].filter((path) => path.startsWith(`${bucket}/${prefix}`));
    for (const path of keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
      const key = path.slice(bucket.length + 1);
      const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
      const name = end < 0 ? key : key.slice(0, end + 1);
      if (after !== "" && Buffer.compare(Buffer.from(name), Buffer.from(after)) <= 0) continue;
      const { body, etag, modified } = this.objects.get(path)!;
      const what = `<Size>${body.length}</Size><ETag>&quot;${etag}&quot;</ETag><LastModified>${modified.toISOString()}</LastModified>`;
      rows.set(
        name,
        end < 0
          ? `<Contents><Key>${coded(key)}</Key>${what}</Contents>`
          : `<CommonPrefixes><Prefix>${coded(name)}</Prefix></CommonPrefixes>`,
      );
    }
    const page = [...rows].slice(0, most);
    const token = Buffer.from(page.at(-1)?.[0] ?? "").toString("base64");
    const more = rows.size > most ? `<NextContinuationToken>${token}</NextContinuationToken>` : "";
    const content = page.map(([, row]) => row).join("");
    return xml(`<ListBucketResult><IsTruncated>${rows.size > most}</IsTruncated>${more}${content}</ListBucketResult>`);
  }

  #listUploads(bucket: string, query: URLSearchParams): Answer {
    const prefix = `${bucket}/${query.get("prefix") ?? ""}`;
    const rows = [...this.uploads]
      .filter(([, { key }]) => key.startsWith(prefix))
      .map(
        ([id, { key }]) =>
          `<Upload><Key>${key.slice(bucket.length + 1)}</Key><UploadId>${id}</UploadId><Initiated>${new Date(0).toISOString()}</Initiated></Upload>`,
      );
    return xml(
      `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${rows.join("")}</ListMultipartUploadsResult>`,
    );
  }
}

interface Answer {
  readonly status: number;
  headers?: Record<string, string>;
  readonly body?: Buffer | string;
}

const md5 = (body: Buffer): string => createHash("md5").update(body).digest("hex");
/** As `encoding-type=url` has it, a space being a plus. */
const coded = (key: string): string => encodeURIComponent(key).replaceAll("%2F", "/").replaceAll("%20", "+");
const xml = (body: string): Answer => ({ status: 200, headers: { "Content-Type": "application/xml" }, body });
const error = (status: number, code: string): Answer => ({
  ...xml(`<Error><Code>${code}</Code><Message>${code} on demand</Message></Error>`),
  status,
});

function send(response: ServerResponse, { status, headers, body = "" }: Answer, headOnly = false): void {
  const length = status === 204 ? {} : { "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length });
  response.end(headOnly ? undefined : body);
}
