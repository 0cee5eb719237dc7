import { tmpdir } from "node:os";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../server/src/db/database.js";
import { afterAll, beforeAll } from "vitest";
import { createApp, type AppOptions } from "../../server/src/app.js";
import { createServices, type Databases, type ServiceOptions } from "../../server/src/services.js";
import { parseConfig, type Config } from "../../server/src/config.js";
import { useDatabase } from "./database.js";
import { findFreePort } from "./free-port.js";

export { findFreePort };

export interface TestApp {
  app: FastifyInstance;
  db: Database;
  config: Config;
}

/** The default configuration of tests: rate limits off, one fixed key, no log. */
export function testConfig(overrides: Partial<Config> = {}): Config {
  return {
    ...parseConfig({ RATE_LIMIT: "off", LOG_LEVEL: "silent" }),
    secretKeys: ["test-key-that-is-at-least-32-characters"],
    dataDir: tmpdir(),
    ...overrides,
  };
}

type StartOptions = Omit<Databases, "db"> & ServiceOptions & AppOptions;

/** Starts the whole app on databases that the caller closes afterwards. */
export async function startApp(
  config: Config,
  db: Database,
  { answerRequest, forceCloseConnections, ...options }: StartOptions = {},
): Promise<FastifyInstance> {
  const services = await createServices(config, { db, ...options }, options);
  return createApp(services, {
    ...(answerRequest && { answerRequest }),
    ...(forceCloseConnections !== undefined && { forceCloseConnections }),
  });
}

/** Starts the whole app on a new database, for `app.inject`. */
export function useApp(
  overrides: Partial<Config> = {},
  options: ServiceOptions = {},
): () => TestApp {
  const database = useDatabase();
  let current: TestApp | undefined;
  beforeAll(async () => {
    const config = testConfig(overrides);
    const app = await startApp(config, database(), options);
    await app.ready();
    current = { app, db: database(), config };
  });
  afterAll(async () => {
    await current?.app.close();
  });
  return () => {
    if (current === undefined) throw new Error("The application is there only while tests run.");
    return current;
  };
}

/** Starts another node of the app on the database. */
export function useSecondNode(current: () => TestApp): () => FastifyInstance {
  let node: FastifyInstance | undefined;
  beforeAll(async () => {
    node = await startApp(current().config, current().db);
  });
  afterAll(async () => {
    await node?.close();
  });
  return () => {
    if (node === undefined) throw new Error("The second node is there only while tests run.");
    return node;
  };
}

/** Starts the whole app on a free loopback port. `config.baseUrl` contains the port. */
export function useServer(
  overrides: Partial<Config> = {},
  options: ServiceOptions = {},
): () => TestApp {
  const database = useDatabase();
  let current: TestApp | undefined;
  beforeAll(async () => {
    const port = await findFreePort();
    const config = testConfig({ port, baseUrl: `http://localhost:${port}`, ...overrides });
    const app = await startApp(config, database(), options);
    await app.listen({ host: "localhost", port });
    current = { app, db: database(), config };
  });
  afterAll(async () => {
    await current?.app.close();
  });
  return () => {
    if (current === undefined) throw new Error("The server is there only while tests run.");
    return current;
  };
}
