/** A table of a PostgreSQL database. */
export interface PostgresTarget {
  /** `postgres://user@host/database`; what it leaves out comes from PG* variables and ~/.pgpass, as with psql. */
  readonly url: string;
  /** With its schema, or without: then the search path's first. */
  readonly table: string;
}

/** Host and database of the URL: a password in it is nobody's business. */
export function placeOf({ url }: Pick<PostgresTarget, "url">): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname || searchParams.get("host") || "the local server";
  return `PostgreSQL ${host}${port ? `:${port}` : ""}${pathname.length > 1 ? pathname : ""}`;
}
