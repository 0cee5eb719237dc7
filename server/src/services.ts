import type { DemoPeople } from "./web/accounts/demo-sign-in.js";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "./config.js";
import type { Database } from "./db/database.js";
import { watchReplicas, type Replica } from "./db/replicas.js";
import { createFailedSignInLog } from "./domain/accounts/failed-sign-ins.js";
import { relyingPartyOf } from "./domain/accounts/passkeys.js";
import { createAuditSigner } from "./domain/audit/audit-signer.js";
import type { StorageQuota } from "./domain/files/add-files.js";
import { openObjectStore } from "./domain/files/object-store.js";
import { createTaskLinkSecrets } from "./domain/tasks/task-link-secrets.js";
import { createLabelLinkSigner } from "./domain/labels/label-links.js";
import { createPushKeys } from "./domain/messaging/push-keys.js";
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
import { createQuotaOrganizations } from "./traffic/quota-organizations.js";
import { createSheetThread } from "./domain/labels/sheet-thread.js";
import { createLimits } from "./traffic/limits.js";
import { createLookUps } from "./traffic/look-ups.js";
import { createFairQueue, turnsOf } from "./traffic/slots.js";
import { createUnreadAnswers } from "./traffic/response-backpressure.js";
import { providerCallback } from "./web/accounts/sign-in-addresses.js";
import { slots } from "./traffic/bounds.js";

/** The database pools. Their creator opens and closes them. */
export interface Databases {
  /** For callers' requests. */
  db: Database;
  /** Plans each statement for its values. Defaults to the request pool. */
  replanDb?: Database;
  /**
   * A small pool for the server itself: access checks, and work that no caller waits for. Callers'
   * requests never exhaust it. Defaults to the request pool.
   */
  systemDb?: Database;
  /** For anonymous requests, which can only delay each other. Defaults to the server's own pool. */
  anonymousDb?: Database;
  /**
   * For emails, webhooks and failed sign-ins, which may wait long for rows locked by people. No
   * token or readiness check waits behind them. Defaults to the server's own pool.
   */
  backgroundDb?: Database;
  replicas?: readonly Replica[];
  /** Maximum lag. Tests use replicas that are stopped. */
  maxReplicaLagMs?: number;
}

export interface ServiceOptions {
  log?: FastifyBaseLogger;
  /** The network for apps' metadata documents. Tests use local ones. */
  documentNetwork?: DocumentNetwork;
  /** The store of rate limit counters. Default: Redis or memory, according to the configuration. */
  counters?: CounterStore;
  /** People whom visitors of the demo can view it as. */
  demoPeople?: DemoPeople | undefined;
}

declare module "fastify" {
  interface FastifyInstance {
    services: AppServices;
  }
}

export type AppServices = Awaited<ReturnType<typeof createServices>>;

/** The app that receives them closes them. */
export async function createServices(
  config: Config,
  databases: Databases,
  {
    log = createLogger(config),
    documentNetwork = publicNetwork,
    counters,
    demoPeople,
  }: ServiceOptions = {},
) {
  const { db, replanDb = db, systemDb = db, replicas = [], maxReplicaLagMs } = databases;
  const { anonymousDb = systemDb, backgroundDb = systemDb } = databases;
  const quotaOrganizationOf = createQuotaOrganizations(systemDb);
  const lookUps = createLookUps(quotaOrganizationOf);
  const limits = await createLimits({ config, log, quotaOrganizationOf, counters });
  const common = { config, log, systemDb, anonymousDb, quotaOrganizationOf };
  const tokens = createTokens({ ...common, ...limits, ...lookUps });
  const jobs = createJobs(quotaOrganizationOf, log);
  const watched = watchReplicas(replicas, systemDb, log, maxReplicaLagMs);
  const mails = createMailCipher(config.secretKeys, config.smtpUrl !== undefined);
  const secondFactors = {
    secrets: createJsonCipher(config.secretKeys, "fettle authenticator"),
    mails,
    baseUrl: config.baseUrl,
  };
  const failedSignIns = createFailedSignInLog(backgroundDb, secondFactors, (error) => {
    log.error({ err: error }, "failed sign-ins could not be logged");
  });
  const sheets = createSheetThread(quotaOrganizationOf);
  const { s3, ...room } = config.files;
  const objects = s3 && (await openObjectStore(s3));
  const files: StorageQuota = { ...room, objects };
  return {
    ...common,
    ...lookUps,
    ...limits,
    ...tokens,
    ...jobs,
    ...createUnreadAnswers(),
    ...createStopping(),
    /** Pages and calls use `request.db`, which cancels work when its reader disconnects. */
    db,
    replanDb,
    backgroundDb,
    replicas: watched,
    /**
     * Limits changes by anonymous people that their organization may lock for long. One at a time
     * per organization, and in total one connection stays free, so no one else waits for those
     * locks.
     */
    anonymousQueue: turnsOf(quotaOrganizationOf, createFairQueue(slots.anonymousChanges.most)),
    /** Limits reads for streamed file responses: one chunk at a time per organization. */
    filePieceQueue: turnsOf(quotaOrganizationOf, createFairQueue(slots.piecesOfFiles.most)),
    mails,
    secondFactors,
    failedSignIns,
    files,
    documentNetwork,
    demoPeople,
    /** Encrypts the secrets that identify this server to identity providers. */
    providerSecrets: createJsonCipher(config.secretKeys, "fettle identity provider"),
    providers: createProviderClient(
      allowPrivateNetworks(documentNetwork, config.privateNetworks),
      ({ organizationId }) => config.baseUrl + providerCallback(organizationId),
    ),
    /** Encrypts text typed into a form whose session ended, and the timestamps of forms. */
    typedSecrets: createJsonCipher(config.secretKeys, "fettle typed form"),
    /** Encrypts the links of problem reporters, and the timestamps of their forms. */
    reportSecrets: createJsonCipher(config.secretKeys, "fettle problem report"),
    webhookSecrets: createJsonCipher(config.secretKeys, "fettle webhook"),
    pushKeys: createPushKeys(config.secretKeys),
    /** Undefined if browsers refuse passkeys. */
    relyingParty: relyingPartyOf(config.baseUrl),
    cursors: createCursorCodec(config.secretKeys),
    sheets,
    labelLinks: createLabelLinkSigner(config.secretKeys),
    taskLinkSecrets: createTaskLinkSecrets(config.secretKeys),
    auditSigner: createAuditSigner(config.secretKeys),
    close: async () => {
      await Promise.all([
        jobs.endJobs(),
        tokens.endTokens(),
        failedSignIns.close(),
        sheets.close(),
      ]);
      watched.stop();
      limits.endLimits();
      objects?.close();
    },
  };
}
