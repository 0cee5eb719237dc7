import type { FastifyBaseLogger } from "fastify";
import type { Config } from "./config.js";
import type { Database } from "./db/database.js";
import { watchReplicas, type Replica } from "./db/replicas.js";
import { createFailedSignInLog } from "./domain/accounts/failed-sign-ins.js";
import { relyingPartyOf } from "./domain/accounts/passkeys.js";
import { createAuditSigner } from "./domain/audit/audit-signer.js";
import type { FileRoom } from "./domain/files/add-files.js";
import { openObjectStore } from "./domain/files/object-store.js";
import { createLabelLinkSigner } from "./domain/labels/label-links.js";
import { createMailCipher } from "./domain/messaging/mail-cipher.js";
import { createCursorCodec } from "./domain/shared/cursors.js";
import { createJsonCipher } from "./domain/shared/encryption.js";
import { createTokens } from "./oauth/bearer.js";
import { allowPrivateNetworks } from "./oauth/private-networks.js";
import { publicNetwork, type DocumentNetwork } from "./oauth/read-document.js";
import { createProviderClient } from "./oidc/provider-client.js";
import { createLogger } from "./plugins/logging.js";
import { createStopping } from "./plugins/stopping.js";
import type { CounterStore } from "./traffic/counter-store.js";
import { createJobs } from "./traffic/jobs.js";
import { createLimitHomes } from "./traffic/limit-homes.js";
import { createLimits } from "./traffic/limits.js";
import { createLookUps } from "./traffic/look-ups.js";
import { createFairTurns, turnsOf } from "./traffic/slots.js";
import { createUnreadAnswers } from "./traffic/unread-answers.js";
import { providerCallback } from "./web/accounts/sign-in-addresses.js";
import { slots } from "./traffic/bounds.js";

/** The connections, which whoever creates the services opens and closes. */
export interface Databases {
  /** Of what callers ask for. */
  db: Database;
  /** That plan each statement for its values; those of the requests unless given. */
  plannedDb?: Database;
  /**
   * A few of the server's own: for whether who is known may go on, and for what waits for no answer. What
   * callers ask for never keeps them busy. Those of the requests unless given.
   */
  systemDb?: Database;
  /**
   * For who is not known yet: however many strangers there are, they wait for each other alone. The
   * server's own unless given.
   */
  strangersDb?: Database;
  /**
   * For mails, webhooks and failed sign-ins: they wait for rows that people hold for long, and no token
   * check, nor whether the server is ready, waits behind them. The server's own unless given.
   */
  sendersDb?: Database;
  /** Replicas that reads may go to. */
  replicas?: readonly Replica[];
  /** How far they may be behind; tests have some that stand still. */
  maxReplicaLagMs?: number;
}

export interface ServiceOptions {
  log?: FastifyBaseLogger;
  /** How apps' metadata documents are reached; tests have theirs on this computer. */
  documentNetwork?: DocumentNetwork;
  /** Where limits count: unless given, in Redis or in memory, as the configuration says. */
  counters?: CounterStore;
}

declare module "fastify" {
  interface FastifyInstance {
    services: AppServices;
  }
}

/** What all of the server shares. */
export type AppServices = Awaited<ReturnType<typeof createServices>>;

/** The app that takes them closes them. */
export async function createServices(
  config: Config,
  databases: Databases,
  { log = createLogger(config), documentNetwork = publicNetwork, counters }: ServiceOptions = {},
) {
  const { db, plannedDb = db, systemDb = db, replicas = [], maxReplicaLagMs } = databases;
  const { strangersDb = systemDb, sendersDb = systemDb } = databases;
  const limitHomeOf = createLimitHomes(systemDb);
  const lookUps = createLookUps(limitHomeOf);
  const limits = await createLimits({ config, log, limitHomeOf, counters });
  const common = { config, log, systemDb, strangersDb, limitHomeOf };
  const tokens = createTokens({ ...common, ...limits, ...lookUps });
  const jobs = createJobs(limitHomeOf, log);
  const watched = watchReplicas(replicas, systemDb, log, maxReplicaLagMs);
  const mails = createMailCipher(config.secretKeys, config.smtpUrl !== undefined);
  const secondFactors = {
    secrets: createJsonCipher(config.secretKeys, "fettle authenticator"),
    mails,
    baseUrl: config.baseUrl,
  };
  const failedSignIns = createFailedSignInLog(sendersDb, secondFactors, (error) => {
    log.error({ err: error }, "failed sign-ins could not be logged");
  });
  const { s3, ...room } = config.files;
  const objects = s3 && (await openObjectStore(s3));
  /** Where photos and files are kept, and how much of them. */
  const files: FileRoom = { ...room, objects };
  return {
    ...common,
    ...lookUps,
    ...limits,
    ...tokens,
    ...jobs,
    ...createUnreadAnswers(),
    ...createStopping(),
    /** Pages and calls take `request.db`, which ends what its reader does not wait for. */
    db,
    plannedDb,
    sendersDb,
    replicas: watched,
    /**
     * What strangers change that their organization may hold for long: of each of them one at a time, and
     * of all together with a connection left over, so that no others wait for what one of them holds.
     */
    strangersTurns: turnsOf(limitHomeOf, createFairTurns(slots.strangersChanges.most)),
    /** What is read for files that are made while they are sent: of each organization one piece at a time. */
    pieceTurns: turnsOf(limitHomeOf, createFairTurns(slots.piecesOfFiles.most)),
    mails,
    secondFactors,
    failedSignIns,
    files,
    documentNetwork,
    /** Encrypts the secrets by which identity providers know this server. */
    providerSecrets: createJsonCipher(config.secretKeys, "fettle identity provider"),
    providers: createProviderClient(
      allowPrivateNetworks(documentNetwork, config.privateNetworks),
      ({ organizationId }) => config.baseUrl + providerCallback(organizationId),
    ),
    /** Encrypts what was typed into a form whose session had ended, and the stamps of forms. */
    typedSecrets: createJsonCipher(config.secretKeys, "fettle typed form"),
    /** Encrypts the links of who reports a problem, and the stamps of their forms. */
    reportSecrets: createJsonCipher(config.secretKeys, "fettle problem report"),
    /** Encrypts the secrets that webhooks are signed with. */
    webhookSecrets: createJsonCipher(config.secretKeys, "fettle webhook"),
    /** Undefined where browsers refuse passkeys. */
    relyingParty: relyingPartyOf(config.baseUrl),
    cursors: createCursorCodec(config.secretKeys),
    labelLinks: createLabelLinkSigner(config.secretKeys),
    auditSigner: createAuditSigner(config.secretKeys),
    close: async () => {
      await Promise.all([jobs.endJobs(), tokens.endTokens(), failedSignIns.close()]);
      watched.stop();
      limits.endLimits();
      objects?.close();
    },
  };
}
