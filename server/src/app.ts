import { createServer, type IncomingMessage } from "node:http";
import {
  fastify,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyServerFactory,
  type FastifyServerOptions,
} from "fastify";
import type { Database } from "./db/database.js";
import type { Config } from "./config.js";
import type { Replica } from "./db/replicas.js";
import { createToken } from "./domain/shared/ids.js";
import type { CounterStore } from "./traffic/counter-store.js";
import { boundPipelining } from "./traffic/pipelined-requests.js";
import { mcpRoute, type McpOptions } from "./mcp/route.js";
import { addressPlugin } from "./plugins/address.js";
import { addressRatePlugin } from "./traffic/address-rate.js";
import { bearerPlugin } from "./oauth/bearer.js";
import { oauthEndpoints } from "./oauth/endpoints.js";
import { authorizationPages } from "./oauth/pages.js";
import { allowPrivateNetworks } from "./oauth/private-networks.js";
import { publicNetwork, type DocumentNetwork } from "./oauth/read-document.js";
import { createProviderClient } from "./oidc/provider-client.js";
import { pageRequestsPlugin } from "./plugins/page-requests.js";
import { contextPlugin } from "./plugins/context.js";
import { errorsPlugin } from "./plugins/errors.js";
import { compareSchema } from "./db/migrate.js";
import { jobsPlugin } from "./traffic/jobs.js";
import { healthRoutes } from "./plugins/health.js";
import { requestLogging } from "./plugins/logging.js";
import { metricsPlugin } from "./plugins/metrics.js";
import { membersPlugin } from "./plugins/members.js";
import { requestLogPlugin } from "./plugins/request-log.js";
import { localePlugin } from "./plugins/locale.js";
import { limitsPlugin } from "./traffic/limits.js";
import { providerCallback } from "./web/accounts/sign-in-addresses.js";
import { stoppingPlugin } from "./plugins/stopping.js";
import { requestBodiesPlugin, uploadSeconds } from "./traffic/request-bodies.js";
import { unreadAnswersPlugin } from "./traffic/unread-answers.js";
import { uploadsPlugin } from "./plugins/uploads.js";
import { linkRoutes } from "./web/link-routes.js";
import { webPages } from "./web/pages.js";

export interface AppOptions extends FastifyServerOptions, McpOptions {
  /** Connections of the server's own; those of the requests unless given. */
  systemDb?: Database;
  /** Connections of strangers; the server's own unless given. */
  strangersDb?: Database;
  /** Connections of what the server sends and notes by itself; its own unless given. */
  sendersDb?: Database;
  /** Connections that plan each statement for its values; those of the requests unless given. */
  plannedDb?: Database;
  /** Connections to replicas that reads may go to. */
  replicas?: readonly Replica[];
  /** How far they may be behind; tests have some that stand still. */
  maxReplicaLagMs?: number;
  /** How apps' metadata documents are reached; tests have theirs on this computer. */
  documentNetwork?: DocumentNetwork;
  /** Where limits count: unless given, in Redis or in memory, as the configuration says. */
  counters?: CounterStore;
}

/** The whole server on one database; the caller listens, closes, and owns the data sources. */
export async function createApp(
  config: Config,
  db: Database,
  {
    systemDb = db,
    strangersDb = systemDb,
    sendersDb = systemDb,
    plannedDb = db,
    replicas = [],
    maxReplicaLagMs,
    counters,
    documentNetwork = publicNetwork,
    answerRequest,
    ...options
  }: AppOptions = {},
): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: 65_536,
    // Bodies have a shorter time of their own, but for uploads.
    requestTimeout: uploadSeconds * 1000,
    // Silence, but not while the server works, see unread-answers.ts.
    connectionTimeout: 30_000,
    trustProxy: toTrustProxy(config.trustProxy),
    // A link to labels names up to 100 assets.
    routerOptions: { maxParamLength: 1280 },
    serverFactory: createHttpServer,
    rewriteUrl: toDecodable,
    // Error pages quote it, so it must not start again with every process.
    genReqId: createRequestIds(),
    // What comes then is told so by stopping.ts.
    return503OnClosing: false,
    ...requestLogging,
    ...options,
  });
  const providers = createProviderClient(
    allowPrivateNetworks(documentNetwork, config.privateNetworks),
    ({ organizationId }) => config.baseUrl + providerCallback(organizationId),
  );
  await app.register(contextPlugin, {
    config,
    db,
    systemDb,
    strangersDb,
    sendersDb,
    plannedDb,
    replicas,
    maxReplicaLagMs,
    providers,
  });
  await app.register(requestLogPlugin);
  await app.register(addressPlugin);
  const pools = {
    requests: db,
    planned: plannedDb,
    system: systemDb,
    strangers: strangersDb,
    senders: sendersDb,
  };
  await app.register(metricsPlugin, { pools });
  await app.register(addressRatePlugin);
  await app.register(errorsPlugin);
  await app.register(stoppingPlugin);
  await app.register(unreadAnswersPlugin);
  await app.register(requestBodiesPlugin);
  await app.register(limitsPlugin, { counters });
  await app.register(healthRoutes, {
    findMissingMigrations: async () => (await compareSchema(app.systemDb)).missing,
  });
  await app.register(jobsPlugin);
  await app.register(bearerPlugin);
  await app.register(oauthEndpoints);
  await app.register(mcpRoute, { ...(answerRequest && { answerRequest }) });
  await app.register(links);
  await app.register(pages, { network: documentNetwork });
  return app;
}

const pages: FastifyPluginAsync<{ network: DocumentNetwork }> = async (app, options) => {
  await app.register(pageRequestsPlugin);
  await app.register(uploadsPlugin);
  await app.register(membersPlugin);
  await app.register(webPages);
  await app.register(authorizationPages, options);
};

/** What needs no session is in the language that the browser asks for. */
const links: FastifyPluginAsync = async (app) => {
  await app.register(localePlugin);
  await app.register(linkRoutes);
};

/** As Fastify makes one, with a bound on what a connection asks for at once. */
const createHttpServer: FastifyServerFactory = (listener, options) => {
  const server = createServer(boundPipelining(listener));
  const { keepAliveTimeout, requestTimeout, connectionTimeout } = options as FastifyServerOptions;
  return Object.assign(server, { keepAliveTimeout, requestTimeout }).setTimeout(connectionTimeout);
};

/** What cannot be decoded names nothing here: it gets that answer, which passes no hook otherwise. */
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

/** Fastify trusts no hop count by itself, because it cannot check who the nearest hop is: the operator says. */
function toTrustProxy(
  setting: Config["trustProxy"],
): Exclude<FastifyServerOptions["trustProxy"], undefined> {
  return typeof setting === "number" ? (_address, hop) => hop < setting : setting;
}
