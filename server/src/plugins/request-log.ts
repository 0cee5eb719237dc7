import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { probes } from "../traffic/address-rate.js";
import { onResponseClosed } from "../traffic/answer-end.js";
import { requestMessage, withoutSecrets } from "./logging.js";

declare module "fastify" {
  interface FastifyRequest {
    calledTools: string[];
  }
}

/** At these levels no request line is written, so none is built. */
const quietLevels = new Set(["silent", "fatal", "error", "warn"]);

/** URL parameters that are secrets. */
const secretParts = new Set(["token", "*"]);
/** The length of secrets, for malformed URLs. */
const longPart = /[\w-]{30,}/g;
/** Maximum length of a logged URL without a route. */
const maxPathLength = 200;

/** Logs one line per request when it is answered or aborted. Sends the request id to the client. */
export const requestLogPlugin = fp(async (app) => {
  app.decorateRequest("calledTools");
  app.addHook("onRequest", (request, reply, done) => {
    request.calledTools = [];
    void reply.header("x-request-id", request.id);
    done();
  });
  if (quietLevels.has(app.log.level)) return;
  // Secrets are removed here by name, so the logger needn't search for them again.
  const log = app.log.child({}, { redact: [] });
  const answered = Symbol("answered");
  type Logged = FastifyRequest & { [answered]?: true };
  app.addHook("onRequest", (request: Logged, reply, done) => {
    // A fully read response also closes, and `onResponse` follows soon.
    onResponseClosed(reply, () => {
      if (request[answered] === true) return;
      setImmediate(() => {
        if (request[answered] !== true) logRequest(log, request, reply, { aborted: true });
      });
    });
    done();
  });
  app.addHook("onResponse", (request: Logged, reply, done) => {
    request[answered] = true;
    logRequest(log, request, reply, { status: reply.statusCode });
    done();
  });
});

function logRequest(
  log: FastifyBaseLogger,
  request: FastifyRequest,
  { elapsedTime }: FastifyReply,
  outcome: { status: number } | { aborted: true },
): void {
  const { method, ip, calledTools: tools } = request;
  if (probes.has(request.routeOptions.url)) return;
  log.info(
    {
      reqId: request.id,
      method,
      ...describeAddress(request),
      ip,
      ...describeCaller(request),
      ...(tools.length > 0 && { tools }),
      ...outcome,
      time: Math.round(elapsedTime * 10) / 10,
    },
    requestMessage,
  );
}

/** Logs only the names of query parameters. Values contain search texts and app credentials. */
function describeAddress({ routeOptions: { url: route }, params, query, url }: FastifyRequest) {
  if (route === undefined) {
    const [path = ""] = url.split("?", 1);
    const told = withoutSecrets(decoded(path)).replaceAll(longPart, "[redacted]");
    return { path: told.slice(0, maxPathLength) };
  }
  const parts = Object.entries(params as Record<string, string>);
  const names = Object.keys(query as object).slice(0, 20);
  return {
    route,
    ...(parts.length > 0 && {
      params: Object.fromEntries(
        parts.map(([name, value]) => [name, secretParts.has(name) ? "[redacted]" : value]),
      ),
    }),
    ...(names.length > 0 && { query: names.map((name) => name.slice(0, 40)) }),
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).replace(/^https?:\/\/[^/]*/i, "");
  } catch {
    return path;
  }
}

/** Ids only, because names are personal data and change. */
function describeCaller({ grant, person, caller }: FastifyRequest) {
  const known = grant?.person ?? caller;
  const userId = known?.userId ?? person?.id;
  return {
    ...(userId !== undefined && { person: userId }),
    ...(known && { organization: known.organizationId }),
    ...(grant && { app: grant.clientId }),
  };
}
