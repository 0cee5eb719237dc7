import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { mcpPath, protectedResourceMetadataPath } from "fettle-shared";
import { LruMap } from "toad-cache";
import type { Config } from "../config.js";
import type { Database } from "../db/database.js";
import { findGrant, touchConnection, type Grant } from "../domain/oauth/grants.js";
import { hashSecret } from "../domain/shared/secrets.js";
import { accessTokenPrefix, endRepeat } from "../domain/oauth/tokens.js";
import { maxKeysInMemory } from "../traffic/counter-store.js";
import type { LimitHomeOf } from "../traffic/quota-organizations.js";
import type { Limits } from "../traffic/limits.js";
import type { LookUps } from "../traffic/look-ups.js";
import { resourceOf } from "./resource.js";

export interface Tokens {
  /**
   * Pre-handler of bearer routes. Sets `request.grant`, or responds with 401 and a challenge, or
   * with 429 after too many bad tokens.
   */
  requireToken: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /**
   * Returns the current grant of a token that was valid before. With an empty organization,
   * searches all organizations.
   */
  findKnownGrant: (tokenHash: Buffer, organizationId: string) => Promise<Grant | undefined>;
  /** Call for every issued token. A flood of bad tokens from its address then doesn't block it. */
  noteIssued: (accessToken: string) => void;
  endTokens: () => Promise<unknown>;
}

interface TokenOptions extends Pick<Limits, "createAddressLimit">, Pick<LookUps, "lookUpInTurn"> {
  config: Config;
  log: FastifyBaseLogger;
  systemDb: Database;
  anonymousDb: Database;
  quotaOrganizationOf: LimitHomeOf;
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
    // Before the call is served: once the token has had an effect, the refresh that issued it can't
    // be repeated.
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
 * Looks up tokens unless their address sends too many bad ones. A token counts before the lookup
 * and is uncounted if it is valid. A flood must not block other clients at its address, so tokens
 * that this node issued or validated are looked up without counting. A known token has no
 * privileges: the database decides each time, and expired tokens are forgotten. Only a token that
 * is new to this node waits until the flood's minute ends. An organization's lookups queue behind
 * each other, not in front of other organizations' tokens.
 */
function createTokenCheck(
  { config, systemDb, anonymousDb, quotaOrganizationOf, lookUpInTurn }: TokenOptions,
  limitBadTokens: (request: FastifyRequest, by?: 1 | -1) => Promise<void>,
) {
  // Token key to organization, which never changes. Empty until the first lookup.
  const known = new LruMap<string>(maxKeysInMemory);
  const findKnownGrant: Tokens["findKnownGrant"] = async (hash, organizationId) => {
    const home = organizationId ? await quotaOrganizationOf(organizationId) : toKey(hash);
    return lookUpInTurn(home, () => findGrant(systemDb, hash, organizationId || undefined));
  };
  const findGood = async (request: FastifyRequest, hash: Buffer) => {
    const key = toKey(hash);
    const organizationId = known.get(key);
    const isKnown = organizationId !== undefined;
    if (!isKnown) await limitBadTokens(request);
    let isBad = false;
    try {
      // Bad tokens don't queue for the connections that known tokens use.
      const grant = isKnown
        ? await findKnownGrant(hash, organizationId)
        : await findGrant(anonymousDb, hash);
      // RFC 8707 §2: a token is valid only for the resource that it was issued for.
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

/** RFC 6750 §2.1 only: never from the query, a form or a cookie. */
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

/**
 * RFC 6750 §3: includes an error only if a token was sent. RFC 9728 §5.1 tells clients where to
 * start.
 */
export function toChallenge(config: Config, sent: boolean): Record<string, string> {
  const metadata = config.baseUrl + protectedResourceMetadataPath + mcpPath;
  const error = sent ? `error="invalid_token", error_description="${invalidToken}", ` : "";
  return {
    "www-authenticate": `Bearer ${error}resource_metadata="${metadata}", scope="mcp_read mcp_write"`,
  };
}

const touchEveryMs = 60_000;
const maxRemembered = 10_000;

/** Records the use of connections, at most once a minute each, without delaying requests. */
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
