import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { mcpPath, protectedResourceMetadataPath } from "fettle-shared";
import { touchConnection } from "../domain/oauth/connections.js";
import { findGrant } from "../domain/oauth/grants.js";
import { hashSecret } from "../domain/values/secrets.js";
import { accessTokenPrefix, endRepeat } from "../domain/oauth/tokens.js";
import { resourceOf } from "./resource.js";

/** Bad tokens from one address; good ones never count, and pass even after these. */
const badTokensPerMinute = 300;

/** Decorates `app.requireToken`: behind it `request.grant` is set, or 401 (a storm: 429) is the answer. */
export const bearerPlugin = fp(async (app) => {
  const touch = createToucher(app);
  const limitBadTokens = app.createAddressLimit("bad-tokens", badTokensPerMinute);
  app.decorate("invalidToken", { message: invalidToken, headers: toChallenge(app, true) });
  app.decorate("requireToken", async (request: FastifyRequest, reply: FastifyReply) => {
    const credentials = readBearer(request);
    if (credentials.kind === "none") return refuse(app, reply, false);
    const hash = credentials.kind === "token" ? hashSecret(credentials.token) : undefined;
    const grant = hash && (await findGrant(app.systemDb, hash));
    // RFC 8707 §2: a token is good for the resource it was issued for, and no other.
    if (hash === undefined || grant?.resource !== resourceOf(app.config)) {
      await limitBadTokens(request);
      return refuse(app, reply, true);
    }
    // Before the call is served: nobody may get this token again once it has done something.
    if (grant.endsRepeatOf !== null)
      await endRepeat(app.systemDb.manager, hash, grant.endsRepeatOf);
    request.grant = grant;
    touch(grant.connectionId);
  });
});

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
function createToucher(app: FastifyInstance): (connectionId: string) => void {
  const touchedAt = new Map<string, number>();
  const pending = new Set<Promise<void>>();
  app.addHook("onClose", async () => {
    await Promise.all(pending);
  });
  return (connectionId) => {
    const now = performance.now();
    const last = touchedAt.get(connectionId);
    if (last !== undefined && now - last < touchEveryMs) return;
    // Deleting first keeps the map in the order of last use, so the first entry is the oldest.
    touchedAt.delete(connectionId);
    touchedAt.set(connectionId, now);
    if (touchedAt.size > maxRemembered) {
      for (const oldest of touchedAt.keys()) {
        touchedAt.delete(oldest);
        break;
      }
    }
    const work = touchConnection(app.systemDb.manager, connectionId)
      .catch((error: unknown) => {
        app.log.error({ err: error }, "the use of a connection could not be noted");
      })
      .finally(() => pending.delete(work));
    pending.add(work);
  };
}
