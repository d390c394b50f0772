import { EXIT, type ExitCode, PresenceError } from "../errors.ts";
import { isPassing, nameOf, statusOf } from "./s3-retries.ts";

const CHAIN = "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or give the machine a role.";

/** How a command ends where S3 refuses it, and where S3 cannot be reached or is overloaded. */
export interface S3Exits {
  readonly refused: ExitCode;
  readonly unreachable: ExitCode;
}

/** For a lake: there is no input. */
export const INPUT_EXITS: S3Exits = { refused: EXIT.input, unreachable: EXIT.input };

/** What goes wrong with S3, in the operator's words; anything else as it is. */
export function s3Failure(error: unknown, location: string, exits: S3Exits): unknown {
  if (error instanceof PresenceError) return error;
  const said = inWords(error, location);
  if (said === null) return error;
  const [message, hint, code = isPassing(error) ? exits.unreachable : exits.refused] = said;
  return new PresenceError(code, message, { hint, cause: error });
}

function inWords(error: unknown, location: string): [message: string, hint: string, exit?: ExitCode] | null {
  const name = nameOf(error);
  const status = statusOf(error);
  if (name === "CredentialsProviderError" || name === "TokenProviderError") {
    return [`no credentials for ${location}: ${firstLine(error)}`, CHAIN, EXIT.usage];
  }
  if (["ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired"].includes(name)) {
    return [`the credentials for ${location} have expired`, "Renew them (for example aws sso login) and run again."];
  }
  if (["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken"].includes(name)) {
    return [`${location} does not accept the credentials (${name})`, CHAIN];
  }
  if (name === "NoSuchBucket")
    return [`there is no bucket for ${location}`, "Check the name, --region and --endpoint."];
  if (status === 401 || status === 403) {
    return [`no permission for ${location} (${name})`, "The README's policies name what the role must be allowed."];
  }
  if (status === 301 || status === 307 || name === "AuthorizationHeaderMalformed") {
    return [`${location} lies in another region (${name})`, "Give the bucket's own as --region."];
  }
  if (isPassing(error)) {
    const what = status === 0 ? `cannot be reached: ${firstLine(error)}` : `answers ${status} ${name}`;
    return [`${location} ${what}, again and again`, "Run again later; --endpoint and --region say where it is."];
  }
  return status === 0
    ? null
    : [`${location} answers ${status} ${name}: ${firstLine(error)}`, "See the store's own log."];
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error);
  return (text || "no answer").split("\n", 1)[0]!;
}
