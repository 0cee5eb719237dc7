import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { mcpUrl, parseConfig } from "../../server/src/config.js";
import type { McpOptions } from "../../server/src/mcp/route.js";
import { migrate } from "../../server/src/db/migrate.js";
import { openDatabase } from "../../server/src/db/open-database.js";
import { aMember, type Member } from "../support/builders.js";
import { aToken } from "../support/tokens.js";
import { startApp } from "../support/app.js";
import { createLogger } from "../../server/src/plugins/logging.js";

/** A server under test: the product, or the product with the suite's items. */
export interface ServerUnderTest {
  app: FastifyInstance;
  port: number;
  mcpUrl: string;
  owner: Member;
  /** The owner's access token with every scope. */
  token: string;
  close: () => Promise<void>;
}

/** Starts the server without rate limits on a new embedded database, on a free port. */
export async function startServer(options: McpOptions = {}): Promise<ServerUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), "fettle-conformance-"));
  const database = await openDatabase({
    databaseUrl: undefined,
    dataDir,
    embedded: "own",
    onFailure: (error) => {
      throw error;
    },
  });
  await migrate(database.db);
  const port = await findFreePort();
  const config = {
    ...parseConfig({
      PORT: String(port),
      RATE_LIMIT: "off",
      // The suite checks that the exceptions for hosted clients are refused.
      MCP_STRICT_HEADERS: "true",
      SECRET_KEYS: "conformance-key-that-is-at-least-32-characters",
    }),
    dataDir,
  };
  const app = await startApp(config, database.db, {
    log: createLogger({ logLevel: "error" }),
    ...options,
  });
  await app.listen({ host: "localhost", port });
  const owner = await aMember(database.db, { role: "owner", workspace: "Plant" });
  const { token } = await aToken(database.db, config, {
    ...owner,
    scopes: ["mcp_read", "mcp_write", "mcp_destructive"],
  });
  return {
    app,
    port,
    mcpUrl: mcpUrl(config),
    owner,
    token,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The issuer and the resource contain the port, so it must be known before the start. */
function findFreePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once("error", failed);
    probe.listen(0, "localhost", () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === "object") found(address.port);
        else failed(new Error("no free port"));
      });
    });
  });
}
