import { createHash, timingSafeEqual } from "node:crypto";
import type OAuth2Server from "@node-oauth/oauth2-server";
import type { EntityManager } from "typeorm";
import type { Origin } from "../domain/logs/activity.js";
import {
  consumeCode,
  createCode,
  linkCode,
  lockCode,
  type ApprovedAccess,
  type StoredCode,
} from "../domain/oauth/authorization-codes.js";
import { lockMembership } from "../domain/oauth/authorizations.js";
import type { RegisteredClient } from "../domain/oauth/clients.js";
import type { MailCipher } from "../domain/mail/mail-cipher.js";
import { endConnection, openConnection } from "../domain/oauth/connections.js";
import { endReusedConnection } from "../domain/oauth/end-reused-connection.js";
import { toScopes } from "../domain/oauth/scopes.js";
import { createSecret, hashSecret } from "../domain/values/secrets.js";
import { decryptSuccessor, type TokenPair } from "../domain/oauth/successor.js";
import {
  accessTokenSeconds,
  createAccessToken,
  createRefreshToken,
  storeSuccessor,
  lockRefreshToken,
  rotateRefreshToken,
  storeTokens,
  type StoredRefreshToken,
} from "../domain/oauth/tokens.js";

/** Within this time a used refresh token is a retry that fails; later it counts as stolen. */
const reuseToleranceSeconds = 10;

/** What one request at the token endpoint comes with, after our own checks. */
export interface TokenRequest {
  client: RegisteredClient;
  form: ReadonlyMap<string, string>;
  resource: string;
  origin: Origin;
  /** When the request came, as milliseconds of `performance.now()`. */
  arrivedAt: number;
  /** OAUTH_REFRESH_GRACE_SECONDS. */
  graceSeconds: number;
  mails: MailCipher;
  /** For links in mails. */
  baseUrl: string;
}

/** A pair that goes out, and how long its access token still lives. */
export interface Issued extends TokenPair {
  expiresIn: number;
}

/** What the engine carries from the lookup to `saveToken`, in the place it calls "user". */
type Subject =
  | { kind: "code"; code: StoredCode }
  | {
      kind: "refresh";
      presented: string;
      stored: StoredRefreshToken;
      rotationId: string | undefined;
    }
  | { kind: "repeat"; issued: Issued };

/** The engine knows only ids and grants of a client. */
function toEngineClient(client: RegisteredClient): OAuth2Server.Client {
  return {
    id: client.id,
    redirectUris: client.redirect_uris,
    grants: ["authorization_code", "refresh_token"],
  };
}

/** The part of the engine's model that turns a person's approval into a code. */
export function createApprovalModel(
  tx: EntityManager,
  client: RegisteredClient,
  approved: ApprovedAccess,
) {
  return {
    getClient: async (id: string) => id === client.id && toEngineClient(client),
    validateRedirectUri: async (uri: string) => uri === approved.redirect_uri,
    validateScope: async () => approved.scopes,
    generateAuthorizationCode: async () => createSecret("mcp_ac_"),
    saveAuthorizationCode: async (code: OAuth2Server.AuthorizationCode) => {
      const { codeChallenge = "", codeChallengeMethod } = code;
      // The engine would do without PKCE (RFC 7636); we never do.
      if (codeChallengeMethod !== "S256" || !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
        throw new Error("A code without a code challenge was about to be issued.");
      }
      await createCode(tx, code.authorizationCode, { ...approved, code_challenge: codeChallenge });
      return { ...code, client: toEngineClient(client), user: {} };
    },
  };
}

/** The engine's model of one token request. Everything it does belongs to one transaction. */
export function createTokenModel(tx: EntityManager, request: TokenRequest) {
  return {
    getClient: async (id: string) => id === request.client.id && toEngineClient(request.client),
    generateAccessToken: async () => createAccessToken(),
    generateRefreshToken: async () => createRefreshToken(),
    getAuthorizationCode: async (code: string) => findCode(tx, request, code),
    /** Uses the code up first; then a wrong redirect URI is an invalid grant (RFC 6749 §5.2). */
    revokeAuthorizationCode: async ({ user }: OAuth2Server.AuthorizationCode) => {
      const subject = user as Subject;
      if (subject.kind !== "code" || !(await consumeCode(tx, subject.code.code_hash))) return false;
      const redirectUri = request.form.get("redirect_uri");
      return redirectUri === undefined || redirectUri === subject.code.redirect_uri;
    },
    validateScope: async (user: OAuth2Server.User) => {
      const subject = user as Subject;
      return subject.kind === "code" && subject.code.scopes;
    },
    getRefreshToken: async (token: string) => findRefreshToken(tx, request, token),
    revokeToken: async ({ user }: OAuth2Server.RefreshToken) => {
      const subject = user as Subject;
      if (subject.kind === "repeat") return true;
      return subject.kind === "refresh" && rotateRefreshToken(tx, subject.stored);
    },
    saveToken: async (
      token: OAuth2Server.Token,
      client: OAuth2Server.Client,
      user: OAuth2Server.User,
    ) => {
      const issued = await issue(tx, user as Subject, toPair(token));
      return {
        accessToken: issued.accessToken,
        refreshToken: issued.refreshToken,
        scope: issued.scopes,
        client,
        user: { issued },
      };
    },
  };
}

async function findCode(tx: EntityManager, request: TokenRequest, presented: string) {
  const code = await lockCode(tx, presented);
  if (code === undefined || code.client_id !== request.client.id) return null;
  if (code.consumed) {
    await punishReplay(tx, request, code);
    return null;
  }
  if (code.expired || code.resource !== request.resource) return null;
  if (!(await lockMembership(tx, code.organization_id, code.user_id))) return null;
  return {
    authorizationCode: presented,
    // Expiry is decided by the database's clock; the engine compares with ours.
    expiresAt: new Date(Date.now() + 60_000),
    redirectUri: undefined,
    scope: code.scopes,
    client: toEngineClient(request.client),
    user: { kind: "code", code } satisfies Subject,
    codeChallenge: code.code_challenge,
    codeChallengeMethod: "S256",
  };
}

/** OAuth 2.1 §4.1.3: only a replay that is right in everything else ends what the code became. */
async function punishReplay(
  tx: EntityManager,
  { form, origin }: TokenRequest,
  code: StoredCode,
): Promise<void> {
  const redirectUri = form.get("redirect_uri");
  if (redirectUri !== undefined && redirectUri !== code.redirect_uri) return;
  if (code.connection_id === null) return;
  if (!isVerifierOf(form.get("code_verifier") ?? "", code.code_challenge)) return;
  await endConnection(tx, code.connection_id, "code_reuse", origin);
}

function isVerifierOf(verifier: string, challenge: string): boolean {
  const hash = createHash("sha256").update(verifier).digest("base64url");
  return timingSafeEqual(Buffer.from(hash), Buffer.from(challenge));
}

async function findRefreshToken(tx: EntityManager, request: TokenRequest, presented: string) {
  const stored = await lockRefreshToken(tx, presented, request.arrivedAt);
  // Another client's attempt must not hurt the owner.
  if (stored === undefined || stored.clientId !== request.client.id) return null;
  if (!stored.alive || stored.resource !== request.resource) return null;
  const subject = await toRefreshSubject(tx, request, presented, stored);
  if (subject === null) return null;
  return {
    refreshToken: presented,
    refreshTokenExpiresAt: undefined,
    scope: stored.grantedScopes,
    client: toEngineClient(request.client),
    user: subject,
  };
}

/**
 * Strict rotation: a used token is worth something only to requests that overlap with its use, and
 * to the client that names the same `rotation_id` because the answer got lost.
 */
async function toRefreshSubject(
  tx: EntityManager,
  request: TokenRequest,
  presented: string,
  stored: StoredRefreshToken,
): Promise<Subject | null> {
  const { rotation } = stored;
  const rotationId = request.form.get("rotation_id");
  if (rotation === undefined) return { kind: "refresh", presented, stored, rotationId };
  const { secondsAgo, encrypted, overlapping, idHash } = rotation;
  const sameId = rotationId !== undefined && idHash?.equals(hashSecret(rotationId)) === true;
  if (encrypted !== null && (overlapping || sameId || secondsAgo < request.graceSeconds)) {
    const expiresIn = overlapping
      ? accessTokenSeconds
      : Math.max(1, accessTokenSeconds - Math.ceil(secondsAgo));
    return { kind: "repeat", issued: { ...decryptSuccessor(presented, encrypted), expiresIn } };
  }
  if (overlapping || secondsAgo <= reuseToleranceSeconds) return null;
  const { mails, origin, baseUrl } = request;
  await endReusedConnection(tx, mails, { connectionId: stored.connectionId, origin, baseUrl });
  return null;
}

function toPair(token: OAuth2Server.Token): TokenPair {
  return {
    accessToken: token.accessToken,
    refreshToken: token.refreshToken ?? "",
    scopes: toScopes(token.scope),
  };
}

async function issue(tx: EntityManager, subject: Subject, pair: TokenPair): Promise<Issued> {
  switch (subject.kind) {
    case "repeat":
      return subject.issued;
    case "code": {
      const connectionId = await openConnection(tx, subject.code);
      await linkCode(tx, subject.code.code_hash, connectionId);
      await storeTokens(tx, connectionId, pair);
      break;
    }
    case "refresh": {
      const { presented, stored, rotationId } = subject;
      const endsRepeatOf = rotationId === undefined ? null : stored.hash;
      await storeTokens(tx, stored.connectionId, pair, endsRepeatOf);
      await storeSuccessor(tx, presented, pair, rotationId);
      break;
    }
  }
  return { ...pair, expiresIn: accessTokenSeconds };
}
