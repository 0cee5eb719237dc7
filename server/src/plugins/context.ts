import type { Pool } from "pg";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { Database } from "../db/database.js";
import type { Caller } from "../domain/access/caller.js";
import type { Reader } from "../domain/accounts/reader.js";
import type { Grant } from "../domain/oauth/grants.js";
import { createRequestDb, type RequestDb } from "../db/request-queries.js";
import type { KnownCaller } from "../db/replicas.js";
import { whenOver } from "../traffic/answer-end.js";
import { Slots } from "../traffic/slots.js";
import type { Membership } from "../domain/organizations/organizations.js";
import { slots, type SlotBound } from "../traffic/bounds.js";

/** The signed-in person of a browser request. */
export type Person = Reader;

declare module "fastify" {
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

/** With the choice of a replica, which is one for all that a page reads. */
type OpenDb = RequestDb & { reads?: Database };

/** Strangers have connections of their own, so that signing in works when all others are busy. */
function decorateWithDb(app: FastifyInstance): void {
  const { db, plannedDb, limitHomeOf, replicas, strangersDb } = app.services;
  // Not a map of requests, which costs the collector of garbage more than all else about them.
  const opened = Symbol("db");
  type Opening = FastifyRequest & { [opened]?: OpenDb };
  const [planned, others] = [createPoolSlots(slots.planned), createPoolSlots(slots.statements)];
  const open = (request: Opening): OpenDb => {
    const known = request[opened];
    if (known !== undefined) return known;
    const admit = {
      planned: async (pool: Pool, id: string) => planned(pool).enter(await limitHomeOf(id)),
      others: async (pool: Pool) => others(pool).enter(await limitHomeOf(whoseIs(request))),
    };
    const present = createRequestDb(db, plannedDb, admit, replicas);
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
      if (this.person === null && this.grant === null) return strangersDb;
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
function createPoolSlots({ most: total, waitMs: maxWaitMs }: SlotBound) {
  const known = new WeakMap<Pool, Slots>();
  return (pool: Pool) => {
    const present = known.get(pool) ?? new Slots({ total, maxWaitMs });
    known.set(pool, present);
    return present;
  };
}

/** The organization, or the person where there is none. */
function whoseIs({ grant, reader, person }: FastifyRequest): string {
  return grant?.person.organizationId ?? reader?.organizationId ?? person?.id ?? "";
}

/** Hands to every request the database, and who asks. */
export const contextPlugin = fp(async (app) => {
  decorateWithDb(app);
  app.decorateRequest("grant", null);
  app.decorateRequest("person", null);
  app.decorateRequest("caller", null);
  app.decorateRequest("hasCommitted", false);
  app.decorateRequest("memberships");
});
