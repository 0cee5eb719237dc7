import type { Pool } from "pg";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { Database } from "../db/database.js";
import type { Caller } from "../domain/access/caller.js";
import type { Reader } from "../domain/accounts/reader.js";
import type { Grant } from "../domain/oauth/grants.js";
import { createRequestDb, type RequestDb } from "../db/request-queries.js";
import type { KnownCaller } from "../db/replicas.js";
import { onResponseClosed } from "../traffic/answer-end.js";
import { Slots } from "../traffic/slots.js";
import type { Membership } from "../domain/organizations/organizations.js";
import { slots, type SlotBound } from "../traffic/bounds.js";

export type Person = Reader;

declare module "fastify" {
  interface FastifyRequest {
    /** The database for the requests of known callers. Queries end when the client disconnects. */
    readonly db: Database;
    /** Like `db`, for reads only: uses a replica that is current enough for the caller. */
    readsOf: (caller: KnownCaller) => Database;
    /** True if changes also end when the client disconnects. Set by protocols that define this. */
    endsWithReader: boolean;
    /** Ends the request's database work, except for a commit that has begun. */
    cancelChanges: () => void;
    /** Set by an organization's read-only pages. `db` is then `readsOf` the caller. */
    onlyReads: boolean;
    /** Set by `requireToken`. */
    grant: Grant | null;
    /** The signed-in person, or null. Read again for every browser request. */
    person: Person | null;
    /** The id for a regenerated session. A new id is created if omitted. */
    newSessionId: string | undefined;
    /** Set by `requireMember`: the person in the page's organization. */
    caller: Caller | null;
    /** Set once the form's change is committed, even for a form without a caller. */
    hasCommitted: boolean;
    /** Set by `requireMember`: all organizations of the person. */
    memberships: readonly Membership[];
    /**
     * Set by `requireMember`: number of reports waiting for the person. Undefined if the person
     * can't decide on any.
     */
    openReports: number | undefined;
    /** Set by `requireMember` where a page marks them, for owners and admins. */
    failingWebhooks: number | undefined;
  }
}

/** Includes the replica, which is chosen once for all reads of a page. */
type OpenDb = RequestDb & { reads?: Database };

/** Anonymous requests have separate connections, so sign-in works while all others are busy. */
function decorateWithDb(app: FastifyInstance): void {
  const { db, replanDb, quotaOrganizationOf, replicas, anonymousDb } = app.services;
  // A property instead of a map of requests, which costs the garbage collector more than everything
  // else here.
  const opened = Symbol("db");
  type Opening = FastifyRequest & { [opened]?: OpenDb };
  const [planned, others] = [createPoolSlots(slots.planned), createPoolSlots(slots.statements)];
  const open = (request: Opening): OpenDb => {
    const known = request[opened];
    if (known !== undefined) return known;
    const admit = {
      planned: async (pool: Pool, id: string) => planned(pool).enter(await quotaOrganizationOf(id)),
      others: async (pool: Pool) => others(pool).enter(await quotaOrganizationOf(whoseIs(request))),
    };
    const present = createRequestDb(db, replanDb, admit, replicas);
    request[opened] = present;
    // The client may have disconnected while the request was queued.
    if (request.raw.socket.destroyed) end(request, present);
    return present;
  };
  const end = ({ endsWithReader }: FastifyRequest, present: RequestDb) => {
    if (endsWithReader) present.cancelChanges();
    else present.cancel();
  };
  app.decorateRequest("db", {
    getter(this: FastifyRequest) {
      if (this.person === null && this.grant === null) return anonymousDb;
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
    onResponseClosed(reply, () => {
      const present = request[opened];
      if (present !== undefined && !reply.raw.writableFinished) end(request, present);
    });
    done();
  });
}

/**
 * Separate slots for the primary and each replica. An unreachable server doesn't add slots on the
 * others.
 */
function createPoolSlots({ most: total, waitMs: maxWaitMs }: SlotBound) {
  const known = new WeakMap<Pool, Slots>();
  return (pool: Pool) => {
    const present = known.get(pool) ?? new Slots({ total, maxWaitMs });
    known.set(pool, present);
    return present;
  };
}

/** The organization's id, or the person's without an organization. */
function whoseIs({ grant, reader, person }: FastifyRequest): string {
  return grant?.person.organizationId ?? reader?.organizationId ?? person?.id ?? "";
}

export const contextPlugin = fp(async (app) => {
  decorateWithDb(app);
  app.decorateRequest("grant", null);
  app.decorateRequest("person", null);
  app.decorateRequest("caller", null);
  app.decorateRequest("hasCommitted", false);
  app.decorateRequest("memberships");
});
