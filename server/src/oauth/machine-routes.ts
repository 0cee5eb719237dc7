import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { toDescription, toOauthFailure } from "./errors.js";

/** A machine endpoint's URL: one method, its preflight, and 405 for other methods. */
export function machineRoute(
  app: FastifyInstance,
  route: Omit<RouteOptions, "method"> & { method: "GET" | "POST" },
): void {
  const allowed = route.method === "GET" ? ["GET", "HEAD"] : ["POST"];
  app.route(route);
  app.options(route.url, { onRequest: answerPreflight(allowed) }, unreachable);
  refuseOtherMethods(app, route.url, [...allowed, "OPTIONS"]);
}

/** Responds with 405 and `Allow` before reading a body. */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  allowed: readonly string[],
): void {
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    onRequest: async (_request, reply) => {
      const allow = allowed.filter((method) => method !== "OPTIONS" && method !== "HEAD");
      await reply
        .code(405)
        .header("allow", allow.join(", "))
        .send({ error: "invalid_request", error_description: "This method is not allowed here." });
    },
    handler: unreachable,
  });
}

/** Responds with JSON 404 for every URL below a prefix that has no route. */
export function refuseUnknown(app: FastifyInstance, url: string, methods: readonly string[]): void {
  app.route({
    method: [...methods],
    url,
    onRequest: async (_request, reply) => {
      await reply
        .code(404)
        .send({ error: "not_found", error_description: "There is nothing at this address." });
    },
    handler: unreachable,
  });
}

/** Fetch standard: any origin may call, never with cookies. */
export function answerPreflight(methods: readonly string[]) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await reply
      .code(204)
      .header("access-control-allow-methods", methods.join(", "))
      .header("access-control-allow-headers", "authorization, content-type, mcp-protocol-version")
      .header("access-control-max-age", "86400")
      .send();
  };
}

/** Request hooks have already responded. */
export async function unreachable(): Promise<never> {
  throw new Error("This handler is never reached.");
}

/**
 * Sends every failure as OAuth JSON. Unexpected errors are logged and sent as one fixed sentence.
 */
export function sendOauthErrors(app: FastifyInstance, malformed: string): void {
  app.setErrorHandler(async (error, request, reply) => {
    const failure = toOauthFailure(error, malformed);
    if (failure === undefined) request.log.error({ err: error }, "OAuth request failed");
    return reply
      .code(failure?.status ?? 500)
      .headers({ "cache-control": "no-store", ...failure?.headers })
      .send({
        error: failure?.code ?? "server_error",
        error_description: toDescription(
          failure?.message ?? "Something went wrong on our side. Nothing was changed.",
        ),
      });
  });
}
