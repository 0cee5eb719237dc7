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

/** Of databases, networks and libraries; codes of authorizations are longer, and have small letters. */
const errorCode = /^[A-Z0-9_]{1,40}$/;

/** Query parameters whose values never reach a log. */
const secretParameters =
  /([?&](?:code|token|state|access_token|refresh_token|client_secret)=)[^&#]*/gi;

/** Addresses that are themselves a secret behind this part. */
const secretPaths =
  /^(\/(?:calendar|invites|labels|password\/reset|q\/[^/?#]+\/report|signup\/confirm|unsubscribe)\/)[^/?#]+/;

/** What the line of each request says. */
export const requestMessage = "request";

/** An address without the secrets that may stand in it. */
export function withoutSecrets(url: string): string {
  return url.replace(secretPaths, "$1[redacted]").replace(secretParameters, "$1[redacted]");
}

/** A write for each line would take longer than all else about it. */
const maxBufferMs = 50;
const endOfRequestLine = `"msg":"${requestMessage}"}\n`;

/** Lines of requests are written together within a moment, before the next other line or the end of the process. */
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

/** What the server logs with: one JSON line each, to stderr, so that stdout has the ready line only. */
export function createLogger(
  config: Pick<Config, "logLevel">,
  stream: DestinationStream = standardError,
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

/** Gives its lines the id of a request. Bindings would be redacted for every request, logged or not. */
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

/** Without what drivers attach to errors: the statement's parameters are people's data and hashes. */
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

/** How a request is logged: with its id, and by one line of ours, see request-log.ts. */
export const requestLogging = {
  childLoggerFactory: createRequestLogger,
  logController: new LogController({ disableRequestLogging: true }),
};
