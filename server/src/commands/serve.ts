import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import encodeQR from "qr";
import { createApp } from "../app.js";
import { createPool, anonymousPool } from "../db/data-source.js";
import { mcpUrl, parseConfig, type Config, isLoopback } from "../config.js";
import { migrate } from "../db/migrate.js";
import {
  DatabaseError,
  openDatabase,
  type DatabaseChoice,
  type OpenDatabase,
} from "../db/open-database.js";
import { ignoresSettings } from "../db/pooler.js";
import { renewAuthenticatorSecrets } from "../domain/accounts/authenticators.js";
import { renewProviderSecrets } from "../domain/accounts/providers.js";
import { renewWebhookSecrets } from "../domain/messaging/webhooks.js";
import { createSetupLink } from "../domain/accounts/setup-links.js";
import { isConnectionLost } from "../db/connection-errors.js";
import { startHousekeeping } from "../housekeeping.js";
import { startMailSender } from "../mail/sender.js";
import { startNotifier } from "../mail/notifier.js";
import { createSmtp } from "../mail/smtp.js";
import { allowPrivateNetworks } from "../oauth/private-networks.js";
import { publicNetwork } from "../oauth/read-document.js";
import { createServices, type AppServices, type ServiceOptions } from "../services.js";
import { startPushSender } from "../push/sender.js";
import { startWebhookSender } from "../webhooks/sender.js";
import { sayPreparing } from "./database.js";
import type { Io } from "./io.js";
import { listen, withPort } from "./listen.js";
import { loadSecretKeys, requireKnownKeys } from "./secret-keys.js";

/** Memory for the server with the embedded database at its first start: test/containers/run.sh. */
const embeddedMemoryMb = 768;

export interface ServeOptions {
  /** A command's addition to the ready line, after the server listens. */
  onReady?: (running: { config: Config; app: FastifyInstance }) => Promise<void>;
  findDemoPeople?: () => ServiceOptions["demoPeople"];
}

/**
 * Limits after draining, for running requests and for the whole shutdown. The documented stop time
 * is 10 s.
 */
const maxAnswerMs = 5_000;
const maxCloseMs = 6_000;

/** Serves until a signal. Resolves when everything is finished and closed. */
export async function runServe(
  io: Io,
  { onReady, findDemoPeople }: ServeOptions = {},
): Promise<void> {
  const config = await withPort(parseConfig(io.variables));
  config.secretKeys = loadSecretKeys(config);
  findStartWarnings(config, process.constrainedMemory()).forEach(io.writeError);
  const onPreparing = sayPreparing(io);
  const { closeDatabases, ...databases } = await openDatabases(io, config, onPreparing);
  const { db, systemDb } = databases;
  try {
    if (config.databaseUrl === undefined) await migrate(db, onPreparing);
    await requireKnownKeys(systemDb, config, io.writeError);
    const services = await createServices(config, databases, {
      demoPeople: findDemoPeople?.(),
    });
    const app = await createApp(services, { forceCloseConnections: "idle" });
    if (config.databaseUrl !== undefined && (await ignoresSettings(db))) {
      app.log.warn(
        "The pooler in front of the database ignores what connections ask for: slow statements do not end. Set statement_timeout and client_connection_check_interval with ALTER ROLE, see docs/operate/postgres.md.",
      );
    }
    await renewAuthenticatorSecrets(systemDb, services.secondFactors.secrets);
    await renewProviderSecrets(systemDb, services.providerSecrets);
    await renewWebhookSecrets(systemDb, services.webhookSecrets);
    const stopHousekeeping = startHousekeeping(
      systemDb,
      config,
      services.auditSigner,
      app.log,
      services.files.objects,
    );
    const stopMails = startMails(config, services);
    const sending = {
      db: services.backgroundDb,
      network: allowPrivateNetworks(publicNetwork, config.privateNetworks),
      log: app.log,
      baseUrl: config.baseUrl,
    };
    const stopWebhooks = startWebhookSender({ ...sending, secrets: services.webhookSecrets });
    const stopPush = startPushSender({
      ...sending,
      mails: services.mails,
      keys: services.pushKeys,
    });
    try {
      const stopped = new Promise<NodeJS.Signals>((stop) => {
        io.onStopSignal(stop);
      });
      await listen(app, config);
      await announce(io, config, app);
      await onReady?.({ config, app });
      // A person who presses Ctrl+C waits and has no load balancer.
      const drainMs = (await stopped) === "SIGINT" ? 0 : config.drainSeconds * 1000;
      setTimeout(() => {
        app.server.closeAllConnections();
      }, drainMs + maxAnswerMs).unref();
      setTimeout(() => {
        io.abort(0);
      }, drainMs + maxCloseMs).unref();
      await services.drain(drainMs);
    } finally {
      await Promise.all([stopHousekeeping(), stopMails(), stopWebhooks(), stopPush(), app.close()]);
    }
  } finally {
    await closeDatabases();
  }
}

/**
 * Callers' statements time out after this long. If the database stays silent, their connection is
 * closed.
 */
const statementTimeoutMs = 5000;
const maxSilenceMs = 8000;
/** Background work of the server may take longer. */
const maxSystemSilenceMs = 15_000;
const systemPoolSize = 4;
/**
 * One per worker that may wait: four for webhooks, three for push messages, one each for emails, noted emails and failed
 * sign-ins.
 */
const sendersPoolSize = 10;
const plannedPoolSize = 6;

/**
 * Opens the pools: requests, their custom-plan statements, and small pools for the server itself,
 * anonymous requests and senders. With the embedded database, all are one.
 */
async function openDatabases(io: Io, config: Config, onPreparing: () => void) {
  const choice: DatabaseChoice = {
    databaseUrl: config.databaseUrl,
    preparedStatements: config.preparedStatements,
    dataDir: config.dataDir,
    embedded: "own",
    onCreate: onPreparing,
    onFailure: (error) => {
      io.writeError(error.message);
      io.abort(1);
    },
  };
  if (config.databaseUrl !== undefined) {
    // Migrations have no time limit, so they use separate connections.
    const first = await openWhenThere(io, config, { ...choice, poolSize: 2 });
    await migrate(first.db, onPreparing).finally(first.close);
  }
  const requests = await openDatabase({ ...choice, statementTimeoutMs, maxSilenceMs });
  const opened = [requests];
  const open = async (options: Partial<DatabaseChoice>) => {
    if (config.databaseUrl === undefined) return requests.db;
    const database = await openDatabase({ ...choice, ...options });
    opened.push(database);
    return database.db;
  };
  const { preparedStatements, replicaUrls } = config;
  const common = { preparedStatements, statementTimeoutMs, maxSilenceMs };
  const planned = { ...common, poolSize: plannedPoolSize, plans: "custom" } as const;
  const replicas = replicaUrls.map((url) => ({
    name: new URL(url).host,
    reads: createPool(url, common),
    planned: createPool(url, planned),
  }));
  return {
    db: requests.db,
    replanDb: await open(planned),
    systemDb: await open({ maxSilenceMs: maxSystemSilenceMs, poolSize: systemPoolSize }),
    backgroundDb: await open({ maxSilenceMs: maxSystemSilenceMs, poolSize: sendersPoolSize }),
    anonymousDb: await open({ ...common, ...anonymousPool }),
    replicas,
    closeDatabases: async () => {
      await Promise.all(replicas.flatMap(({ reads, planned }) => [reads.end(), planned.end()]));
      for (const { close } of opened) await close();
    },
  };
}

/** Retries: a database that starts together with the server may start later. */
async function openWhenThere(
  io: Io,
  { databaseWaitSeconds }: Config,
  choice: DatabaseChoice,
): Promise<OpenDatabase> {
  const until = performance.now() + databaseWaitSeconds * 1000;
  for (let hasTold = false; ; hasTold = true) {
    try {
      return await openDatabase(choice);
    } catch (error) {
      if (!(error instanceof DatabaseError) || !isConnectionLost(error.cause)) throw error;
      if (performance.now() >= until) throw error;
      if (!hasTold) io.writeError(`${error.message}. Trying again for ${databaseWaitSeconds} s.`);
    }
    await pause(1000);
  }
}

/** Without a mail server, emails stay in the outbox, and people read notifications in the app. */
function startMails({ smtpUrl, mailFrom, baseUrl }: Config, services: AppServices) {
  const { mails, log, backgroundDb: db } = services;
  const stops = [startNotifier({ db, mails, log })];
  if (smtpUrl !== undefined && mailFrom !== undefined) {
    const send = createSmtp({ smtpUrl, mailFrom });
    stops.push(startMailSender({ db, mails, send, log, baseUrl }));
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/**
 * The ready line, or words for a person at a terminal. Before the first account exists, it includes
 * the one-time setup link.
 */
async function announce(io: Io, config: Config, app: FastifyInstance): Promise<void> {
  const token = await createSetupLink(app.services.systemDb);
  const setup = token === undefined ? undefined : `${config.baseUrl}/setup?token=${token}`;
  const ready = { url: config.baseUrl, mcp: mcpUrl(config), ...(setup !== undefined && { setup }) };
  if (io.output?.isTTY === true) {
    io.write(toBanner(ready));
    return;
  }
  const database = config.databaseUrl === undefined ? "embedded" : "postgresql";
  io.write(JSON.stringify({ msg: "ready", ...ready, database }));
  if (setup !== undefined) {
    io.writeError(`\nOpen this link to create the first account:\n\n  ${setup}\n`);
  }
}

/** A phone can't open a loopback address, so its setup link has no QR code. */
export function toBanner({
  url,
  mcp,
  setup,
}: {
  url: string;
  mcp: string;
  setup?: string;
}): string {
  const lines = ["", "Fettle is running", "", `  Pages   ${url}`, `  MCP     ${mcp}`, ""];
  if (setup !== undefined) {
    lines.push("Open this link to create the first account:", "", `  ${setup}`, "");
    if (!isLoopback(new URL(url).hostname)) lines.push(toTerminalCode(setup));
  }
  return [...lines, "Stop with Ctrl+C."].join("\n");
}

/** A QR code in black on white, whatever the terminal's colors are. */
function toTerminalCode(text: string): string {
  const code = encodeQR(text, "ascii").trimEnd();
  return code.replaceAll(/^.+$/gm, "  \x1b[97;40m$&\x1b[0m") + "\n";
}

/** Settings that work but probably not as the operator expects. */
export function findStartWarnings(
  config: Pick<Config, "host" | "trustProxy" | "baseUrl" | "databaseUrl">,
  memoryLimitBytes: number,
): string[] {
  const warnings: string[] = [];
  const isForOthers =
    !["127.0.0.1", "::1", "localhost"].includes(config.host) || config.trustProxy !== false;
  if (isForOthers && isLoopback(new URL(config.baseUrl).hostname)) {
    warnings.push(
      `BASE_URL is ${config.baseUrl}: links, emails and codes on printed labels only work on this computer. Set it to the address people use.`,
    );
  }
  // Fettle doesn't terminate TLS.
  if (config.baseUrl.startsWith("https:") && config.trustProxy === false) {
    warnings.push(
      "BASE_URL is https, but TRUST_PROXY is not set: everyone behind the proxy shares one address and its limits. Set it to the number of proxies.",
    );
  }
  const limitMb = Math.floor(memoryLimitBytes / 1024 / 1024);
  if (config.databaseUrl === undefined && limitMb > 0 && limitMb < embeddedMemoryMb) {
    warnings.push(
      `This process may use ${limitMb} MB of memory, and the embedded database needs ${embeddedMemoryMb} MB: the system may kill it without warning. Raise the limit, or use PostgreSQL (DATABASE_URL).`,
    );
  }
  return warnings;
}
