import { createServer, type IncomingMessage } from "node:http";
import {
  fastify,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyServerFactory,
  type FastifyServerOptions,
} from "fastify";
import type { Config } from "./config.js";
import type { AppServices } from "./services.js";
import { createToken } from "./domain/shared/ids.js";
import { boundPipelining } from "./traffic/pipelined-requests.js";
import { mcpRoute, type McpOptions } from "./mcp/route.js";
import { addressPlugin } from "./plugins/address.js";
import { addressRatePlugin } from "./traffic/address-rate.js";
import { oauthEndpoints } from "./oauth/endpoints.js";
import { authorizationPages } from "./oauth/pages.js";
import { pageRequestsPlugin } from "./plugins/page-requests.js";
import { contextPlugin } from "./plugins/context.js";
import { errorsPlugin } from "./plugins/errors.js";
import { compareSchema } from "./db/migrate.js";
import { healthRoutes } from "./plugins/health.js";
import { requestLogging } from "./plugins/logging.js";
import { metricsPlugin } from "./plugins/metrics.js";
import { requestLogPlugin } from "./plugins/request-log.js";
import { localePlugin } from "./plugins/locale.js";
import { limitsPlugin } from "./traffic/limits.js";
import { stoppingPlugin } from "./plugins/stopping.js";
import { requestBodiesPlugin, uploadSeconds } from "./traffic/request-bodies.js";
import { unreadAnswersPlugin } from "./traffic/response-backpressure.js";
import { uploadsPlugin } from "./plugins/uploads.js";
import { linkRoutes } from "./web/link-routes.js";
import { webPages } from "./web/pages.js";

export type AppOptions = Pick<FastifyServerOptions, "forceCloseConnections"> & McpOptions;

/** The whole server. Closing it closes the services. The caller listens. */
export async function createApp(
  services: AppServices,
  { answerRequest, ...options }: AppOptions = {},
): Promise<FastifyInstance> {
  const { config, db, replanDb, systemDb, anonymousDb, backgroundDb } = services;
  const app = fastify({
    bodyLimit: 65_536,
    // Bodies have a separate, shorter limit, except uploads.
    requestTimeout: uploadSeconds * 1000,
    // Idle time, but not while the server works, see response-backpressure.ts.
    connectionTimeout: 30_000,
    trustProxy: toTrustProxy(config.trustProxy),
    // A label link contains up to 100 asset ids.
    routerOptions: { maxParamLength: 1280 },
    serverFactory: createHttpServer,
    rewriteUrl: toDecodable,
    // Error pages show it, so it must not restart with each process.
    genReqId: createRequestIds(),
    // stopping.ts answers requests that arrive while closing.
    return503OnClosing: false,
    ...requestLogging,
    loggerInstance: services.log,
    ...options,
  });
  app.decorate("services", services);
  // The first hook runs last, when nothing uses the services.
  app.addHook("onClose", () => services.close());
  await app.register(contextPlugin);
  await app.register(requestLogPlugin);
  await app.register(addressPlugin);
  const pools = {
    requests: db,
    planned: replanDb,
    system: systemDb,
    strangers: anonymousDb,
    senders: backgroundDb,
  };
  await app.register(metricsPlugin, { pools });
  await app.register(addressRatePlugin);
  await app.register(errorsPlugin);
  await app.register(stoppingPlugin);
  await app.register(unreadAnswersPlugin);
  await app.register(requestBodiesPlugin);
  await app.register(limitsPlugin);
  await app.register(healthRoutes, {
    findMissingMigrations: async () => (await compareSchema(systemDb)).missing,
  });
  await app.register(oauthEndpoints);
  await app.register(mcpRoute, { ...(answerRequest && { answerRequest }) });
  await app.register(links);
  await app.register(pages);
  return app;
}

const pages: FastifyPluginAsync = async (app) => {
  await app.register(pageRequestsPlugin);
  await app.register(uploadsPlugin);
  await app.register(webPages);
  await app.register(authorizationPages);
};

/** Pages without a session use the browser's language. */
const links: FastifyPluginAsync = async (app) => {
  await app.register(localePlugin);
  await app.register(linkRoutes);
};

/** Like Fastify's default, but limits pipelined requests per connection. */
const createHttpServer: FastifyServerFactory = (listener, options) => {
  const server = createServer(boundPipelining(listener));
  const { keepAliveTimeout, requestTimeout, connectionTimeout } = options as FastifyServerOptions;
  return Object.assign(server, { keepAliveTimeout, requestTimeout }).setTimeout(connectionTimeout);
};

/** Rewrites an undecodable URL so that it gets our 404 page. Otherwise it would pass no hook. */
function toDecodable({ url = "/" }: IncomingMessage): string {
  try {
    decodeURI(url.split("?", 1)[0] ?? "");
    return url;
  } catch {
    return url.replaceAll("%", "%25");
  }
}

function createRequestIds(): () => string {
  const prefix = `req_${createToken()}_`;
  let count = 0;
  return () => prefix + String(++count);
}

/**
 * Fastify trusts no hop count by default, because it can't verify the nearest hop. The operator
 * must set it.
 */
function toTrustProxy(
  setting: Config["trustProxy"],
): Exclude<FastifyServerOptions["trustProxy"], undefined> {
  return typeof setting === "number" ? (_address, hop) => hop < setting : setting;
}
