import { createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import { createApp } from "../app.js";
import { mcpUrl, parseConfig, type Config } from "../config.js";
import { migrate } from "../db/migrate.js";
import { openDatabase, type DatabaseChoice } from "../db/open-database.js";
import { renewAuthenticatorSecrets } from "../domain/second-factors/authenticators.js";
import { renewProviderSecrets } from "../domain/identity-providers/providers.js";
import { createSetupLink } from "../domain/accounts/setup-links.js";
import { StartError } from "../errors.js";
import { startHousekeeping } from "../housekeeping.js";
import { startMailSender } from "../mail/sender.js";
import { createSmtp } from "../mail/smtp.js";
import { loggerOptions } from "../plugins/logging.js";
import type { Io } from "./io.js";
import { loadSecretKeys } from "./secret-keys.js";

/** What a command adds to the ready line once the server listens. */
export type OnReady = (running: { config: Config; app: FastifyInstance }) => Promise<void>;

/** How long running requests may take after a signal; the contract gives 10 s to the whole stop. */
const maxStopMs = 9_000;

/** Serves until a signal. Resolves when everything is finished and closed. */
export async function runServe(io: Io, onReady?: OnReady): Promise<void> {
  const config = await withPort(parseConfig(io.variables));
  config.secretKeys = loadSecretKeys(config);
  const { db, systemDb, plannedDb, closeDatabases } = await openDatabases(io, config);
  try {
    await migrate(systemDb);
    const app = await createApp(config, db, {
      systemDb,
      plannedDb,
      logger: loggerOptions(config),
      forceCloseConnections: "idle",
    });
    await renewAuthenticatorSecrets(systemDb, app.secondFactors.secrets);
    await renewProviderSecrets(systemDb, app.providerSecrets);
    const stopHousekeeping = startHousekeeping(
      systemDb,
      config.retention,
      app.auditSigner,
      app.log,
    );
    const stopMails = startMails(config, app);
    try {
      const stopped = new Promise<void>((stop) => {
        io.onStopSignal(stop);
      });
      await listen(app, config);
      await announce(io, config, app);
      await onReady?.({ config, app });
      await stopped;
      setTimeout(() => {
        io.abort(0);
      }, maxStopMs).unref();
    } finally {
      await Promise.all([stopHousekeeping(), stopMails()]);
      await app.close();
    }
  } finally {
    await closeDatabases();
  }
}

/** Statements of callers end after this long. */
const statementTimeoutMs = 5000;
const systemPoolSize = 4;
const plannedPoolSize = 6;

/**
 * The pool of the requests, that of their statements that are planned anew, and the small one of the
 * server itself; embedded, all are one.
 */
async function openDatabases(io: Io, config: Config) {
  const choice: DatabaseChoice = {
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    embedded: "own",
    onFailure: (error) => {
      io.complain(error.message);
      io.abort(1);
    },
  };
  const requests = await openDatabase({ ...choice, statementTimeoutMs });
  const opened = [requests];
  const open = async (options: Partial<DatabaseChoice>) => {
    if (config.databaseUrl === undefined) return requests.dataSource;
    const database = await openDatabase({ ...choice, ...options });
    opened.push(database);
    return database.dataSource;
  };
  return {
    db: requests.dataSource,
    plannedDb: await open({ statementTimeoutMs, poolSize: plannedPoolSize, plans: "custom" }),
    systemDb: await open({ poolSize: systemPoolSize }),
    closeDatabases: async () => {
      for (const { close } of opened) await close();
    },
  };
}

/** Without a mail server mails stay in the outbox. */
function startMails({ smtpUrl, mailFrom, baseUrl }: Config, app: FastifyInstance) {
  if (smtpUrl === undefined || mailFrom === undefined) return async () => {};
  return startMailSender({
    db: app.systemDb,
    mails: app.mails,
    send: createSmtp({ smtpUrl, mailFrom }),
    log: app.log,
    host: new URL(baseUrl).hostname,
  });
}

/** The ready line. While nobody has an account it carries the one-time set-up link. */
async function announce(io: Io, config: Config, app: FastifyInstance): Promise<void> {
  const token = await createSetupLink(app.systemDb.manager);
  io.write(
    JSON.stringify({
      msg: "ready",
      url: config.baseUrl,
      mcp: mcpUrl(config),
      ...(token !== undefined && { setup: `${config.baseUrl}/setup?token=${token}` }),
      database: config.databaseUrl === undefined ? "embedded" : "postgresql",
    }),
  );
}

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") {
      throw new StartError(
        `Port ${config.port} on ${config.host} is already in use. Stop the program that has it, or set PORT to another port.`,
      );
    }
    if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new StartError(
        `Fettle cannot listen on ${config.host} port ${config.port} (${code}). Set HOST and PORT to an address this machine may use.`,
      );
    }
    throw error;
  }
}

/** With PORT=0 a free port is chosen first, because the issuer and every link contain it. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await findFreePort(config.host);
  return {
    ...config,
    port,
    baseUrl: config.baseUrlGiven ? config.baseUrl : `http://localhost:${port}`,
  };
}

function findFreePort(host: string): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once("error", failed);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === "object") found(address.port);
        else failed(new StartError(`No free port on ${host}.`));
      });
    });
  });
}
