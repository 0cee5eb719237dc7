import type { Pool } from "pg";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { Database } from "../db/database.js";
import type { Config } from "../config.js";
import type { Caller } from "../domain/access/caller.js";
import type { FileRoom } from "../domain/files/add-files.js";
import { openObjectStore } from "../domain/files/object-store.js";
import { createAuditSigner, type AuditSigner } from "../domain/audit/audit-signer.js";
import type { Reader } from "../domain/accounts/reader.js";
import { createFailedSignInLog, type FailedSignInLog } from "../domain/accounts/failed-sign-ins.js";
import { createCursorCodec, type CursorCodec } from "../domain/shared/cursors.js";
import { createLabelLinkSigner, type LabelLinkSigner } from "../domain/labels/label-links.js";
import type { Grant } from "../domain/oauth/grants.js";
import { createRequestDb, type RequestDb } from "../db/request-queries.js";
import { watchReplicas, type KnownCaller, type Replica, type Replicas } from "../db/replicas.js";
import { whenOver } from "../traffic/answer-end.js";
import { createJsonCipher, type JsonCipher } from "../domain/shared/encryption.js";
import { createFairTurns, Slots, turnsOf, type FairTurns } from "../traffic/slots.js";
import type { ProviderClient } from "../domain/accounts/provider-client.js";
import type { SecondFactorServices } from "../domain/accounts/factor-changes.js";
import { relyingPartyOf, type RelyingParty } from "../domain/accounts/passkeys.js";
import { createLimitHomes } from "../traffic/limit-homes.js";
import type { Membership } from "../domain/organizations/organizations.js";
import { createMailCipher, type MailCipher } from "../domain/messaging/mail-cipher.js";
import { lookUpsPlugin } from "../traffic/look-ups.js";

/** The signed-in person of a browser request. */
export type Person = Reader;

declare module "fastify" {
  interface FastifyInstance {
    config: Config;
    /**
     * A few connections of the server's own: for whether who is known may go on, and for what nobody
     * waits for. What callers ask for never keeps them busy. Whoever created the app opens and closes it.
     */
    systemDb: Database;
    /** For who is not known yet: however many strangers there are, they wait for each other alone. */
    strangersDb: Database;
    /**
     * For mails, webhooks and failed sign-ins: they wait for rows that people hold for long, and no token
     * check, nor whether the server is ready, waits behind them.
     */
    sendersDb: Database;
    /**
     * What strangers change that their organization may hold for long: of each of them one at a time, and
     * of all together with a connection left over, so that nobody else waits for what one of them holds.
     */
    strangersTurns: FairTurns;
    /** What is read for files that are made while they are sent: of each organization one piece at a time. */
    pieceTurns: FairTurns;
    /** In the limits of which organization one counts. */
    limitHomeOf: (organizationId: string) => Promise<string>;
    /** For work in the background, which must not keep anybody from signing in. */
    jobDb: Database;
    replicas: Replicas;
    mails: MailCipher;
    cursors: CursorCodec;
    labelLinks: LabelLinkSigner;
    auditSigner: AuditSigner;
    /** Where photos and files are kept, and how much of them. */
    files: FileRoom;
    failedSignIns: FailedSignInLog;
    secondFactors: SecondFactorServices;
    /** Encrypts the secrets by which identity providers know this server. */
    providerSecrets: JsonCipher;
    providers: ProviderClient;
    /** Encrypts the links of who reports a problem, and the stamps of their forms. */
    reportSecrets: JsonCipher;
    /** Encrypts what was typed into a form whose session had ended, and the stamps of forms. */
    typedSecrets: JsonCipher;
    /** Encrypts the secrets that webhooks are signed with. */
    webhookSecrets: JsonCipher;
    /** Undefined where browsers refuse passkeys. */
    relyingParty: RelyingParty | undefined;
    /** Pre-handler of bearer routes: 401 with a challenge, or `request.grant` is set. */
    requireToken: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
    /** What is answered, with 401, to a token that has ended. */
    invalidToken: { message: string; headers: Record<string, string> };
    /** Pre-handler of pages: sends to sign-in and back, or `request.person` is set. */
    requirePerson: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
    /** The same for pages of an organization: sets `request.caller` too, or sends to `/`. */
    requireMember: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
    /** For pages of the person: like `requirePerson`, with `request.caller` for who is a member. */
    readMember: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
    /** For pages that anybody may see: like `readMember` for who is signed in. */
    readVisitor: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  }
  interface FastifyRequest {
    /** For what somebody who is known asks for; its queries end when they do not wait any longer. */
    readonly db: Database;
    /** The same for what only reads, asked of a replica that is good enough for the caller. */
    readsOf: (caller: KnownCaller) => Database;
    /** Whether changes end as well when nobody waits for the answer any more; set by protocols that say so. */
    endsWithReader: boolean;
    /** Ends what is done in the database for this request, but for a commit that has begun. */
    cancelChanges: () => void;
    /** Set by pages of an organization that only read: `db` is `readsOf` the caller then. */
    onlyReads: boolean;
    /** Set behind `requireToken`. */
    grant: Grant | null;
    /** The signed-in person, or null; read anew for every browser request. */
    person: Person | null;
    /** Under which the session goes on when it is regenerated; without it a new one is made. */
    newSessionId: string | undefined;
    /** Set behind `requireMember`: the person in the organization that the page is about. */
    caller: Caller | null;
    /** Set when the change that a form asks for is made, whoever sent it. */
    hasCommitted: boolean;
    /** Set behind `requireMember`: all the organizations that the person is in. */
    memberships: readonly Membership[];
    /** Set behind `requireMember`: how many reports wait for the person, who may decide on some. */
    openReports: number | undefined;
  }
}

interface ContextOptions {
  config: Config;
  db: Database;
  systemDb: Database;
  strangersDb: Database;
  sendersDb: Database;
  plannedDb: Database;
  replicas: readonly Replica[];
  maxReplicaLagMs: number | undefined;
  providers: ProviderClient;
}

/** Statements and transactions at the same time: as many as a database has connections, of all organizations. */
const maxPlanned = 6;
const maxOthers = 16;
const maxStatementWaitMs = 5000;

/** One fewer than strangers have connections. */
const maxStrangersTurns = 3;

/** Pieces of files at the same time, which are planned anew and leave some connections for lists. */
const maxPieces = 4;

/** With the choice of a replica, which is one for all that a page reads. */
type OpenDb = RequestDb & { reads?: Database };

/** Strangers have connections of their own, so that signing in works when all others are busy. */
function decorateWithDb(
  app: FastifyInstance,
  { db, plannedDb }: Pick<ContextOptions, "db" | "plannedDb">,
): void {
  // Not a map of requests, which costs the collector of garbage more than all else about them.
  const opened = Symbol("db");
  type Opening = FastifyRequest & { [opened]?: OpenDb };
  const [planned, others] = [createPoolSlots(maxPlanned), createPoolSlots(maxOthers)];
  const open = (request: Opening): OpenDb => {
    const known = request[opened];
    if (known !== undefined) return known;
    const admit = {
      planned: async (pool: Pool, id: string) => planned(pool).enter(await app.limitHomeOf(id)),
      others: async (pool: Pool) => others(pool).enter(await app.limitHomeOf(whoseIs(request))),
    };
    const present = createRequestDb(db, plannedDb, admit, app.replicas);
    request[opened] = present;
    // It may have waited for its turn longer than its reader did.
    if (request.raw.socket.destroyed) end(request, present);
    return present;
  };
  const end = ({ endsWithReader }: FastifyRequest, present: RequestDb) => {
    if (endsWithReader) present.cancelChanges();
    else present.cancel();
  };
  app.decorateRequest("db", {
    getter(this: FastifyRequest) {
      if (this.person === null && this.grant === null) return app.strangersDb;
      const present = open(this);
      if (!this.onlyReads || this.caller === null) return present.db;
      return (present.reads ??= present.readsOf(this.caller));
    },
  });
  app.decorateRequest("readsOf", function (this: FastifyRequest, caller) {
    return open(this).readsOf(caller);
  });
  app.decorateRequest("onlyReads", false);
  app.decorateRequest("endsWithReader", false);
  app.decorateRequest("cancelChanges", function (this: FastifyRequest) {
    open(this).cancelChanges();
  });
  app.addHook("onRequest", (request: Opening, reply, done) => {
    whenOver(reply, () => {
      const present = request[opened];
      if (present !== undefined && !reply.raw.writableFinished) end(request, present);
    });
    done();
  });
}

/** Of the primary and of each replica apart: one that is away gives nobody more of the others. */
function createPoolSlots(total: number) {
  const known = new WeakMap<Pool, Slots>();
  return (pool: Pool) => {
    const present = known.get(pool) ?? new Slots({ total, maxWaitMs: maxStatementWaitMs });
    known.set(pool, present);
    return present;
  };
}

/** The organization, or the person where there is none. */
function whoseIs({ grant, reader, person }: FastifyRequest): string {
  return grant?.person.organizationId ?? reader?.organizationId ?? person?.id ?? "";
}

/** Hands the configuration and the database to every route. */
export const contextPlugin = fp<ContextOptions>(
  async (app, { config, db, systemDb, strangersDb, sendersDb, plannedDb, ...options }) => {
    const { replicas, maxReplicaLagMs, providers } = options;
    app.decorate("config", config);
    app.decorate("systemDb", systemDb);
    app.decorate("strangersDb", strangersDb);
    app.decorate("sendersDb", sendersDb);
    app.decorate("limitHomeOf", createLimitHomes(systemDb));
    await app.register(lookUpsPlugin);
    app.decorate("strangersTurns", turnsOf(app.limitHomeOf, createFairTurns(maxStrangersTurns)));
    app.decorate("pieceTurns", turnsOf(app.limitHomeOf, createFairTurns(maxPieces)));
    app.decorate("jobDb", db);
    app.decorate("replicas", watchReplicas(replicas, systemDb, app.log, maxReplicaLagMs));
    app.addHook("onClose", () => {
      app.replicas.stop();
    });
    decorateWithDb(app, { db, plannedDb });
    const mails = createMailCipher(config.secretKeys, config.smtpUrl !== undefined);
    app.decorate("mails", mails);
    app.decorate("secondFactors", {
      secrets: createJsonCipher(config.secretKeys, "fettle authenticator"),
      mails,
      baseUrl: config.baseUrl,
    });
    app.decorate(
      "providerSecrets",
      createJsonCipher(config.secretKeys, "fettle identity provider"),
    );
    app.decorate("providers", providers);
    app.decorate("typedSecrets", createJsonCipher(config.secretKeys, "fettle typed form"));
    app.decorate("reportSecrets", createJsonCipher(config.secretKeys, "fettle problem report"));
    app.decorate("webhookSecrets", createJsonCipher(config.secretKeys, "fettle webhook"));
    app.decorate("relyingParty", relyingPartyOf(config.baseUrl));
    app.decorate("cursors", createCursorCodec(config.secretKeys));
    app.decorate("labelLinks", createLabelLinkSigner(config.secretKeys));
    app.decorate("auditSigner", createAuditSigner(config.secretKeys));
    const { s3, ...room } = config.files;
    const objects = s3 && (await openObjectStore(s3));
    app.decorate("files", { ...room, objects });
    app.addHook("onClose", async () => objects?.close());
    const failedSignIns = createFailedSignInLog(sendersDb, app.secondFactors, (error) => {
      app.log.error({ err: error }, "failed sign-ins could not be logged");
    });
    app.decorate("failedSignIns", failedSignIns);
    app.addHook("onClose", () => failedSignIns.close());
    app.decorateRequest("grant", null);
    app.decorateRequest("person", null);
    app.decorateRequest("caller", null);
    app.decorateRequest("hasCommitted", false);
    app.decorateRequest("memberships");
  },
);
