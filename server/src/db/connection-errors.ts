/**
 * Error codes of Node's network calls and of PostgreSQL: unreachable, database missing, full,
 * stopping, starting.
 */
const awayCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "3D000",
  "53300",
  "57P01",
  "57P02",
  "57P03",
]);

/**
 * Errors without a code: from `pg`, and from TypeORM before its pool starts, after it ends, or
 * after a connection broke during a transaction.
 */
const awayMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after calling end|Driver not Connected|Database connection provided by a query runner was already released|Query runner already released|No metadata for|database .+ is not currently accepting connections)/;

/** Returns true if the error means that the database is unreachable, not that a query is wrong. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  if (!(error instanceof Error)) return false;
  return awayMessages.test(error.message) || hasAwayCode(error);
}

function hasAwayCode(error: Error): boolean {
  if (!("code" in error) || typeof error.code !== "string") return false;
  // The embedded database's socket file disappears when the database stops.
  if (error.code === "ENOENT") return "syscall" in error && error.syscall === "connect";
  return awayCodes.has(error.code) || error.code.startsWith("08");
}
