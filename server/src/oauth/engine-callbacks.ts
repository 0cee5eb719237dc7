import OAuth2Server from "@node-oauth/oauth2-server";
import type { Scope } from "fettle-shared";
import type { Tx } from "../db/database.js";
import type { Origin } from "../domain/audit/record-activity.js";
import {
  consumeCode,
  createCode,
  linkCode,
  lockCode,
  type ApprovedAccess,
  type StoredCode,
} from "../domain/oauth/authorization-codes.js";
import { lockMembership } from "../domain/oauth/authorizations.js";
import { endConnectionOfReplayedCode } from "../domain/oauth/code-replay.js";
import type { RegisteredClient } from "../domain/oauth/clients.js";
import type { MailCipher } from "../domain/messaging/mail-cipher.js";
import { openConnection } from "../domain/oauth/connections.js";
import {
  decideRefreshReplay,
  endConnectionOfReplayedToken,
} from "../domain/oauth/refresh-replay.js";
import { toScopes } from "../domain/oauth/scopes.js";
import { createSecret } from "../domain/shared/secrets.js";
import { decryptSuccessor, type TokenPair } from "../domain/oauth/successor.js";
import {
  accessTokenSeconds,
  createAccessToken,
  createRefreshToken,
  storeAccessToken,
  storeSuccessor,
  lockRefreshToken,
  type PresentedToken,
  rotateRefreshToken,
  storeTokens,
  type StoredRefreshToken,
} from "../domain/oauth/tokens.js";

/** Throws if the rate limit is exceeded. */
export type Admit = (presented: PresentedToken | undefined) => Promise<void>;

/** A request at the token endpoint, after our own checks. */
export interface TokenRequest {
  client: RegisteredClient;
  form: ReadonlyMap<string, string>;
  resource: string;
  /** The state of the code or refresh token when this request arrived. */
  presented: PresentedToken | undefined;
  /** Throws if too many tokens are issued. */
  admit: Admit;
  origin: Origin;
  /** OAUTH_REFRESH_GRACE_SECONDS. */
  graceSeconds: number;
  mails: MailCipher;
  /** For links in emails. */
  baseUrl: string;
}

/** An issued token pair and the remaining lifetime of its access token. */
export interface Issued extends TokenPair {
  expiresIn: number;
}

/** Data that the engine passes from the lookup to `saveToken`, in the property it calls "user". */
type Subject =
  | { kind: "code"; code: StoredCode }
  | {
      kind: "refresh";
      presented: string;
      stored: StoredRefreshToken;
      rotationId: string | undefined;
    }
  | { kind: "successor"; stored: StoredRefreshToken; issued: Issued; asked: Scope[] };

/** The engine knows only a client's id and grants. */
function toEngineClient(client: RegisteredClient): OAuth2Server.Client {
  return {
    id: client.id,
    redirectUris: client.redirect_uris,
    grants: ["authorization_code", "refresh_token"],
  };
}

/** The engine's callbacks for issuing a code after a person's approval. */
export function createCodeCallbacks(tx: Tx, client: RegisteredClient, approved: ApprovedAccess) {
  return {
    getClient: async (id: string) => id === client.id && toEngineClient(client),
    validateRedirectUri: async (uri: string) => uri === approved.redirect_uri,
    validateScope: async () => approved.scopes,
    generateAuthorizationCode: async () => createSecret("mcp_ac_"),
    saveAuthorizationCode: async (code: OAuth2Server.AuthorizationCode) => {
      const { codeChallenge = "", codeChallengeMethod } = code;
      // PKCE (RFC 7636) is optional in the engine. We always require it.
      if (codeChallengeMethod !== "S256" || !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
        throw new Error("A code without a code challenge was about to be issued.");
      }
      await createCode(tx, code.authorizationCode, { ...approved, code_challenge: codeChallenge });
      return { ...code, client: toEngineClient(client), user: {} };
    },
  };
}

/** The engine's callbacks for one token request. All run in one transaction. */
export function createTokenCallbacks(tx: Tx, request: TokenRequest) {
  return {
    getClient: async (id: string) => id === request.client.id && toEngineClient(request.client),
    generateAccessToken: async () => createAccessToken(),
    generateRefreshToken: async () => createRefreshToken(),
    getAuthorizationCode: async (code: string) => findCode(tx, request, code),
    /** Consumes the code first. A wrong redirect URI is then an invalid grant (RFC 6749 §5.2). */
    revokeAuthorizationCode: async ({ user }: OAuth2Server.AuthorizationCode) => {
      const subject = user as Subject;
      if (subject.kind !== "code" || !(await consumeCode(tx, subject.code))) return false;
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
      if (subject.kind === "successor") return true;
      return subject.kind === "refresh" && rotateRefreshToken(tx, subject.stored);
    },
    saveToken: async (
      token: OAuth2Server.Token,
      client: OAuth2Server.Client,
      user: OAuth2Server.User,
    ) => {
      const issued = await issue(tx, request, user as Subject, toPair(token));
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

async function findCode(tx: Tx, request: TokenRequest, presented: string) {
  const code = await lockCode(tx, presented);
  if (code === undefined || code.client_id !== request.client.id) return null;
  if (code.consumed) {
    const { form, origin } = request;
    await endConnectionOfReplayedCode(tx, code, {
      redirectUri: form.get("redirect_uri"),
      codeVerifier: form.get("code_verifier") ?? "",
      origin,
    });
    return null;
  }
  if (code.expired || code.resource !== request.resource) return null;
  if (!(await lockMembership(tx, code.organization_id, code.user_id))) {
    // A removal skips a code that is being redeemed. See `deleteUnusedCodes`.
    await consumeCode(tx, code);
    return null;
  }
  return {
    authorizationCode: presented,
    // The database's clock decides about expiry, but the engine compares with ours.
    expiresAt: new Date(Date.now() + 60_000),
    redirectUri: undefined,
    scope: code.scopes,
    client: toEngineClient(request.client),
    user: { kind: "code", code } satisfies Subject,
    codeChallenge: code.code_challenge,
    codeChallengeMethod: "S256",
  };
}

async function findRefreshToken(tx: Tx, request: TokenRequest, presented: string) {
  if (request.presented === undefined) return null;
  const stored = await lockRefreshToken(tx, presented, request.presented);
  // Another client's attempt must not affect the owner.
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

async function toRefreshSubject(
  tx: Tx,
  request: TokenRequest,
  presented: string,
  stored: StoredRefreshToken,
): Promise<Subject | null> {
  const { rotation } = stored;
  const rotationId = request.form.get("rotation_id");
  if (rotation === undefined) return { kind: "refresh", presented, stored, rotationId };
  const { graceSeconds, mails, origin, baseUrl } = request;
  const decision = decideRefreshReplay(rotation, { rotationId, graceSeconds });
  switch (decision.kind) {
    case "send successor": {
      const { encrypted, expiresIn } = decision;
      return {
        kind: "successor",
        stored,
        asked: toScopes(request.form.get("scope")),
        issued: { ...decryptSuccessor(presented, encrypted), expiresIn },
      };
    }
    case "end connection": {
      await endConnectionOfReplayedToken(tx, mails, { connection: stored, origin, baseUrl });
      return null;
    }
    case "refuse":
      return null;
  }
}

function toPair(token: OAuth2Server.Token): TokenPair {
  return {
    accessToken: token.accessToken,
    refreshToken: token.refreshToken ?? "",
    scopes: toScopes(token.scope),
  };
}

async function issue(
  tx: Tx,
  request: TokenRequest,
  subject: Subject,
  pair: TokenPair,
): Promise<Issued> {
  switch (subject.kind) {
    case "successor":
      return issueAgain(tx, request, subject);
    case "code": {
      const connectionId = await openConnection(tx, subject.code);
      await linkCode(tx, subject.code, connectionId);
      const { organization_id: organizationId } = subject.code;
      await storeTokens(tx, { organizationId, connectionId }, pair);
      break;
    }
    case "refresh": {
      const { presented, stored, rotationId } = subject;
      const endsRepeatOf = rotationId === undefined ? null : stored.hash;
      await storeTokens(tx, stored, pair, endsRepeatOf);
      await storeSuccessor(tx, stored, presented, pair, rotationId);
      break;
    }
  }
  return { ...pair, expiresIn: accessTokenSeconds };
}

/**
 * Returns the previous pair again. For a request with fewer scopes, issues an access token limited
 * to them.
 */
async function issueAgain(
  tx: Tx,
  { presented, admit }: TokenRequest,
  { stored, issued, asked }: Subject & { kind: "successor" },
): Promise<Issued> {
  if (!asked.every((scope) => issued.scopes.includes(scope))) {
    throw new OAuth2Server.InvalidScopeError("The refresh that this repeats had fewer scopes.");
  }
  if (asked.length === 0 || asked.length === issued.scopes.length) return issued;
  // Each such request issues a new token, like a refresh.
  await admit(presented && { ...presented, userId: stored.userId });
  const narrower = { ...issued, accessToken: createAccessToken(), scopes: asked };
  const endsRepeatOf = stored.rotation?.idHash === null ? null : stored.hash;
  await storeAccessToken(tx, stored, narrower, endsRepeatOf);
  return { ...narrower, expiresIn: accessTokenSeconds };
}
