import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { withoutSecrets } from "./logging.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Names of the tools that its messages called, for the log. */
    calledTools: string[];
  }
}

/** What asks whether the server is well asks every few seconds. */
const probes = new Set(["/healthz", "/readyz"]);

/** One line for each request, when it is answered; its id is told to whoever asked. */
export const requestLogPlugin = fp(async (app) => {
  app.decorateRequest("calledTools");
  app.addHook("onRequest", (request, reply, done) => {
    request.calledTools = [];
    void reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, { statusCode, elapsedTime }, done) => {
    const { method, ip, calledTools: tools } = request;
    const route = request.routeOptions.url;
    if (!probes.has(route ?? "")) {
      const time = Math.round(elapsedTime * 10) / 10;
      const url = withoutSecrets(request.url);
      const who = describeCaller(request);
      const called = tools.length > 0 && { tools };
      request.log.info(
        { method, route, url, ip, ...who, ...called, status: statusCode, time },
        "request",
      );
    }
    done();
  });
});

/** Ids alone: names are people's data, and change. */
function describeCaller({ grant, person, caller }: FastifyRequest) {
  const known = grant?.person ?? caller;
  const userId = known?.userId ?? person?.id;
  return {
    ...(userId !== undefined && { person: userId }),
    ...(known && { organization: known.organizationId }),
    ...(grant && { app: grant.clientId }),
  };
}
