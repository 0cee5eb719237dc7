import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { mcpPath, protectedResourceMetadataPath } from "fettle-shared";
import { LruMap } from "toad-cache";
import type { Config } from "../config.js";
import type { Database } from "../db/database.js";
import { findGrant, touchConnection, type Grant } from "../domain/oauth/grants.js";
import { hashSecret } from "../domain/shared/secrets.js";
import { accessTokenPrefix, endRepeat } from "../domain/oauth/tokens.js";
import { maxKeysInMemory } from "../traffic/counter-store.js";
import type { LimitHomeOf } from "../traffic/limit-homes.js";
import type { Limits } from "../traffic/limits.js";
import type { LookUps } from "../traffic/look-ups.js";
import { resourceOf } from "./resource.js";

/** The checks of access tokens. */
export interface Tokens {
  /** Pre-handler of bearer routes: 401 with a challenge (a storm: 429), or `request.grant` is set. */
  requireToken: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** What a token that was found good before stands for now; without an organization it is looked up in all. */
  findKnownGrant: (tokenHash: Buffer, organizationId: string) => Promise<Grant | undefined>;
  /** Told of every token that is issued, so that a storm from the same address does not stop it. */
  noteIssued: (accessToken: string) => void;
  endTokens: () => Promise<unknown>;
}

interface TokenOptions extends Pick<Limits, "createAddressLimit">, Pick<LookUps, "lookUpInTurn"> {
  config: Config;
  log: FastifyBaseLogger;
  systemDb: Database;
  strangersDb: Database;
  limitHomeOf: LimitHomeOf;
}

export function createTokens(options: TokenOptions): Tokens {
  const { config, systemDb } = options;
  const { touch, end: endTokens } = createToucher(options);
  const limitBadTokens = options.createAddressLimit("bad-tokens");
  const { findGood, findKnownGrant, noteIssued } = createTokenCheck(options, limitBadTokens);
  const requireToken: Tokens["requireToken"] = async (request, reply) => {
    const credentials = readBearer(request);
    if (credentials.kind === "none") return refuse(config, reply, false);
    if (credentials.kind === "malformed") {
      await limitBadTokens(request);
      return refuse(config, reply, true);
    }
    const grant = await findGood(request, hashSecret(credentials.token));
    if (grant === undefined) return refuse(config, reply, true);
    // Before the call is served: nobody may get this token again once it has done something.
    if (grant.endsRepeatOf !== null) {
      const { organizationId } = grant.person;
      await endRepeat(systemDb, organizationId, grant.tokenHash, grant.endsRepeatOf);
    }
    request.grant = grant;
    touch(grant);
  };
  return { requireToken, findKnownGrant, noteIssued, endTokens };
}

/**
 * Looks tokens up, as long as an address does not send too many bad ones: a token counts before the
 * database is asked, and is given back when it is good. A storm must not stop the others behind its
 * address, so tokens that this node has issued, or found good before, are looked up without counting.
 * Being known opens nothing: the database decides each time, and a token that has ended is forgotten.
 * Only a token that is new to this node has to wait until the storm's minute is over. However many requests
 * an organization sends at once, they wait for each other, and nobody else's tokens behind them.
 */
function createTokenCheck(
  { config, systemDb, strangersDb, limitHomeOf, lookUpInTurn }: TokenOptions,
  limitBadTokens: (request: FastifyRequest, by?: 1 | -1) => Promise<void>,
) {
  // With the organization, which a token never leaves; empty until it was looked up.
  const known = new LruMap<string>(maxKeysInMemory);
  const findKnownGrant: Tokens["findKnownGrant"] = async (hash, organizationId) => {
    const home = organizationId ? await limitHomeOf(organizationId) : toKey(hash);
    return lookUpInTurn(home, () => findGrant(systemDb, hash, organizationId || undefined));
  };
  const findGood = async (request: FastifyRequest, hash: Buffer) => {
    const key = toKey(hash);
    const organizationId = known.get(key);
    const isKnown = organizationId !== undefined;
    if (!isKnown) await limitBadTokens(request);
    let isBad = false;
    try {
      // A storm of bad tokens is not in the queue for the connections of those that are known.
      const grant = isKnown
        ? await findKnownGrant(hash, organizationId)
        : await findGrant(strangersDb, hash);
      // RFC 8707 §2: a token is good for the resource it was issued for, and no other.
      isBad = grant?.resource !== resourceOf(config);
      if (isBad || grant === undefined) known.delete(key);
      else if (organizationId !== grant.person.organizationId)
        known.set(key, grant.person.organizationId);
      return isBad ? undefined : grant;
    } finally {
      if (!isKnown && !isBad) await limitBadTokens(request, -1);
    }
  };
  const noteIssued = (accessToken: string) => {
    known.set(toKey(hashSecret(accessToken)), "");
  };
  return { findGood, findKnownGrant, noteIssued };
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

export const invalidToken = "The access token is not valid: it has expired or was revoked.";

async function refuse(config: Config, reply: FastifyReply, sent: boolean): Promise<void> {
  const text = sent ? invalidToken : "An access token is needed.";
  await reply
    .code(401)
    .headers({ ...toChallenge(config, sent), "cache-control": "no-store" })
    .send({ error: sent ? "invalid_token" : "unauthorized", error_description: text });
}

/** RFC 6750 §3: names an error only to those who sent a token; RFC 9728 §5.1 says where to start. */
export function toChallenge(config: Config, sent: boolean): Record<string, string> {
  const metadata = config.baseUrl + protectedResourceMetadataPath + mcpPath;
  const error = sent ? `error="invalid_token", error_description="${invalidToken}", ` : "";
  return {
    "www-authenticate": `Bearer ${error}resource_metadata="${metadata}", scope="mcp_read mcp_write"`,
  };
}

const touchEveryMs = 60_000;
const maxRemembered = 10_000;

/** Notes the use of connections, each once a minute at most, without making a request wait. */
function createToucher({ systemDb, log }: TokenOptions) {
  const touchedAt = new LruMap<number>(maxRemembered);
  const pending = new Set<Promise<void>>();
  const touch = (grant: Grant) => {
    const { connectionId } = grant;
    const now = performance.now();
    const last = touchedAt.get(connectionId);
    if (last !== undefined && now - last < touchEveryMs) return;
    touchedAt.set(connectionId, now);
    const work = touchConnection(systemDb, grant)
      .catch((error: unknown) => {
        log.error({ err: error }, "the use of a connection could not be noted");
        return false;
      })
      .then((noted) => {
        if (!noted) touchedAt.delete(connectionId);
      })
      .finally(() => pending.delete(work));
    pending.add(work);
  };
  return { touch, end: () => Promise.all(pending) };
}
