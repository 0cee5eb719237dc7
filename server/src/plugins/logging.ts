import { LogController, type FastifyBaseLogger, type FastifyRequest } from "fastify";
import { pino, type DestinationStream, type LoggerOptions } from "pino";
import type { Config } from "../config.js";

const secretFields = [
  "authorization",
  "cookie",
  "set-cookie",
  "code",
  "code_verifier",
  "client_secret",
  "refresh_token",
  "access_token",
  "token",
  "password",
];

/**
 * Error codes of databases, networks and libraries. Authorization codes are longer and contain
 * lowercase letters.
 */
const errorCode = /^[A-Z0-9_]{1,40}$/;

/** Query parameters whose values never reach a log. */
const secretParameters =
  /([?&](?:code|token|state|access_token|refresh_token|client_secret)=)[^&#]*/gi;

/** Paths with a secret after this part. */
const secretPaths =
  /^(\/(?:calendar|invites|job|labels|password\/reset|q\/[^/?#]+\/report|signup\/confirm|unsubscribe)\/)[^/?#]+/;

export const requestMessage = "request";

export function withoutSecrets(url: string): string {
  return url.replace(secretPaths, "$1[redacted]").replace(secretParameters, "$1[redacted]");
}

/** One write per line would take longer than the rest of logging. */
const maxBufferMs = 50;
const endOfRequestLine = `"msg":"${requestMessage}"}\n`;

/**
 * Writes request lines in batches, after a short delay. Flushes before any other line and at the
 * end of the process.
 */
function createLineBuffer(target: NodeJS.WriteStream): DestinationStream {
  let lines = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = lines;
    lines = "";
    if (text !== "") target.write(text);
  };
  process.on("exit", flush);
  return {
    write: (line) => {
      lines += line;
      if (line.endsWith(endOfRequestLine)) timer ??= setTimeout(flush, maxBufferMs).unref();
      else flush();
    },
  };
}

const standardError = createLineBuffer(process.stderr);

const terminal: DestinationStream = {
  write: (line) => {
    process.stderr.write(describeEntry(line));
  },
};

/** Level, as in pino, and its word. Lines of information have none. */
const levelWords: Readonly<Record<number, string>> = { 40: "WARN", 50: "ERROR", 60: "FATAL" };

/** "14:03:22 GET /assets/:id 200, 12.4 ms", or the message and the stack of an error. */
export function describeEntry(line: string): string {
  const entry = JSON.parse(line) as Partial<Record<string, unknown>> & {
    level: number;
    msg?: string;
  };
  const { level, msg = "", method, route, path, status = "aborted", time, err } = entry;
  const at = new Date().toTimeString().slice(0, 8);
  if (msg === requestMessage) {
    return `${at} ${String(method)} ${String(route ?? path)} ${String(status)}, ${String(time)} ms\n`;
  }
  const { stack = "" } = (err ?? {}) as Partial<LoggedError>;
  const word = levelWords[level];
  const words = [at, ...(word === undefined ? [] : [word]), msg].join(" ");
  return `${words}\n${stack === "" ? "" : `${stack}\n`}`;
}

/**
 * The server's logger, to stderr: one JSON line per entry, or short lines on a terminal. Only the
 * ready line goes to stdout.
 */
export function createLogger(
  config: Pick<Config, "logLevel">,
  stream: DestinationStream = process.stderr.isTTY ? terminal : standardError,
): FastifyBaseLogger {
  const options: LoggerOptions = {
    level: config.logLevel,
    redact: {
      paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
      censor: (value: unknown, path: string[]) =>
        path.at(-1) === "code" && errorCode.test(String(value)) ? value : "[redacted]",
    },
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        url: withoutSecrets(request.url),
        host: request.host,
        remoteAddress: request.ip,
      }),
      err: describeError,
    },
    mixin: (_line, _level, logger: RequestLogger) =>
      logger[requestId] === undefined ? {} : { reqId: logger[requestId] },
  };
  return pino(options, stream);
}

const requestId = Symbol("request id");
type RequestLogger = FastifyBaseLogger & { [requestId]?: string };

/**
 * Adds the request's id to its lines. Bindings would be redacted for every request, logged or not.
 */
function createRequestLogger(
  logger: FastifyBaseLogger,
  { reqId }: Record<string, unknown>,
): FastifyBaseLogger {
  const own: RequestLogger = logger.child({});
  own[requestId] = String(reqId);
  return own;
}

interface LoggedError {
  type: string;
  message: string;
  stack: string;
  [extra: string]: unknown;
}

/**
 * Omits properties that drivers attach to errors. Statement parameters contain personal data and
 * hashes.
 */
function describeError(error: Error): LoggedError {
  return {
    type: error.name,
    message: error.message,
    stack: error.stack ?? "",
    ...("code" in error && { code: error.code }),
    ...("constraint" in error && { constraint: error.constraint }),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

/**
 * Request logging: lines include the id, and each request has one line of ours, see request-log.ts.
 */
export const requestLogging = {
  childLoggerFactory: createRequestLogger,
  logController: new LogController({ disableRequestLogging: true }),
};
