import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { mcpPath, protectedResourceMetadataPath } from "fettle-shared";
import { LruMap } from "toad-cache";
import { findGrant, touchConnection, type Grant } from "../domain/oauth/grants.js";
import { hashSecret } from "../domain/shared/secrets.js";
import { accessTokenPrefix, endRepeat } from "../domain/oauth/tokens.js";
import { maxKeysInMemory } from "../traffic/counter-store.js";
import { resourceOf } from "./resource.js";

/** From one address; good tokens are given back. */
const badTokensPerMinute = 300;

declare module "fastify" {
  interface FastifyInstance {
    /** Told of every token that is issued, so that a storm from the same address does not stop it. */
    noteIssued: (accessToken: string) => void;
    /** What a token that was found good before stands for now; without an organization it is looked up in all. */
    findKnownGrant: (tokenHash: Buffer, organizationId: string) => Promise<Grant | undefined>;
  }
}

/** Decorates `app.requireToken`: behind it `request.grant` is set, or 401 (a storm: 429) is the answer. */
export const bearerPlugin = fp(async (app) => {
  const touch = createToucher(app);
  const limitBadTokens = app.createAddressLimit("bad-tokens", badTokensPerMinute);
  const findGood = createTokenCheck(app, limitBadTokens);
  app.decorate("invalidToken", { message: invalidToken, headers: toChallenge(app, true) });
  app.decorate("requireToken", async (request: FastifyRequest, reply: FastifyReply) => {
    const credentials = readBearer(request);
    if (credentials.kind === "none") return refuse(app, reply, false);
    if (credentials.kind === "malformed") {
      await limitBadTokens(request);
      return refuse(app, reply, true);
    }
    const grant = await findGood(request, hashSecret(credentials.token));
    if (grant === undefined) return refuse(app, reply, true);
    // Before the call is served: nobody may get this token again once it has done something.
    if (grant.endsRepeatOf !== null)
      await endRepeat(
        app.systemDb,
        grant.person.organizationId,
        grant.tokenHash,
        grant.endsRepeatOf,
      );
    request.grant = grant;
    touch(grant);
  });
});

/**
 * Looks tokens up, as long as an address does not send too many bad ones: a token counts before the
 * database is asked, and is given back when it is good. A storm must not stop the others behind its
 * address, so tokens that this node has issued, or found good before, are looked up without counting.
 * Being known opens nothing: the database decides each time, and a token that has ended is forgotten.
 * Only a token that is new to this node has to wait until the storm's minute is over. However many requests
 * an organization sends at once, they wait for each other, and nobody else's tokens behind them.
 */
function createTokenCheck(
  app: FastifyInstance,
  limitBadTokens: (request: FastifyRequest, by?: 1 | -1) => Promise<void>,
): (request: FastifyRequest, hash: Buffer) => Promise<Grant | undefined> {
  // With the organization, which a token never leaves; empty until it was looked up.
  const known = new LruMap<string>(maxKeysInMemory);
  app.decorate("findKnownGrant", async (hash, organizationId) => {
    const home = organizationId ? await app.limitHomeOf(organizationId) : toKey(hash);
    return app.lookUpInTurn(home, () => findGrant(app.systemDb, hash, organizationId || undefined));
  });
  app.decorate("noteIssued", (accessToken) => {
    known.set(toKey(hashSecret(accessToken)), "");
  });
  return async (request, hash) => {
    const key = toKey(hash);
    const organizationId = known.get(key);
    const isKnown = organizationId !== undefined;
    if (!isKnown) await limitBadTokens(request);
    let isBad = false;
    try {
      // A storm of bad tokens is not in the queue for the connections of those that are known.
      const grant = isKnown
        ? await app.findKnownGrant(hash, organizationId)
        : await findGrant(app.strangersDb, hash);
      // RFC 8707 §2: a token is good for the resource it was issued for, and no other.
      isBad = grant?.resource !== resourceOf(app.config);
      if (isBad || grant === undefined) known.delete(key);
      else if (organizationId !== grant.person.organizationId)
        known.set(key, grant.person.organizationId);
      return isBad ? undefined : grant;
    } finally {
      if (!isKnown && !isBad) await limitBadTokens(request, -1);
    }
  };
}

function toKey(hash: Buffer): string {
  return hash.toString("base64url");
}

type BearerCredentials =
  { kind: "none" } | { kind: "malformed" } | { kind: "token"; token: string };

/** RFC 6750 §2.1 only: never from the query, a form, or a cookie. */
function readBearer(request: FastifyRequest): BearerCredentials {
  const { rawHeaders } = request.raw;
  const count = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === "authorization",
  ).length;
  if (count > 1) return { kind: "malformed" };
  const header = request.headers.authorization;
  if (header === undefined || !/^bearer\b/i.test(header)) return { kind: "none" };
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
  return token?.startsWith(accessTokenPrefix) === true
    ? { kind: "token", token }
    : { kind: "malformed" };
}

const invalidToken = "The access token is not valid: it has expired or was revoked.";

async function refuse(app: FastifyInstance, reply: FastifyReply, sent: boolean): Promise<void> {
  const text = sent ? invalidToken : "An access token is needed.";
  await reply
    .code(401)
    .headers({ ...toChallenge(app, sent), "cache-control": "no-store" })
    .send({ error: sent ? "invalid_token" : "unauthorized", error_description: text });
}

/** RFC 6750 §3: names an error only to those who sent a token; RFC 9728 §5.1 says where to start. */
function toChallenge({ config }: FastifyInstance, sent: boolean): Record<string, string> {
  const metadata = config.baseUrl + protectedResourceMetadataPath + mcpPath;
  const error = sent ? `error="invalid_token", error_description="${invalidToken}", ` : "";
  return {
    "www-authenticate": `Bearer ${error}resource_metadata="${metadata}", scope="mcp_read mcp_write"`,
  };
}

const touchEveryMs = 60_000;
const maxRemembered = 10_000;

/** Notes the use of connections, each once a minute at most, without making a request wait. */
function createToucher(app: FastifyInstance): (grant: Grant) => void {
  const touchedAt = new LruMap<number>(maxRemembered);
  const pending = new Set<Promise<void>>();
  app.addHook("onClose", async () => {
    await Promise.all(pending);
  });
  return (grant) => {
    const { connectionId } = grant;
    const now = performance.now();
    const last = touchedAt.get(connectionId);
    if (last !== undefined && now - last < touchEveryMs) return;
    touchedAt.set(connectionId, now);
    const work = touchConnection(app.systemDb, grant)
      .catch((error: unknown) => {
        app.log.error({ err: error }, "the use of a connection could not be noted");
        return false;
      })
      .then((noted) => {
        if (!noted) touchedAt.delete(connectionId);
      })
      .finally(() => pending.delete(work));
    pending.add(work);
  };
}
