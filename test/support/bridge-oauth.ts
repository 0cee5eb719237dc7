import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Context } from "../../bridge/src/context/context.js";
import type { Authorization, SecretStore } from "../../bridge/src/profile/profile.js";
import { type NewSignIn, storeSignIn } from "../../bridge/src/tokens/stored-sign-in.js";

export interface TokenRequest {
  path: string;
  form: URLSearchParams;
  headers: IncomingMessage["headers"];
}

/** Returns true if it answered the request itself. */
type Interruption = (request: TokenRequest, response: ServerResponse) => boolean;

/** The server's behaviour. Tests change it while the server runs. */
export interface TokenServerRules {
  rotates: boolean;
  /** Repeats a lost response for its rotation id while the successor is unused. */
  knowsRotationId: boolean;
  expiresIn: number | undefined;
  padding: string;
  delayMs: number;
  before: Interruption;
  /** Runs after all changes on the server, before the response. */
  after: Interruption;
}

interface Family {
  alive: boolean;
  live: string;
}

interface Rotation {
  id: string | null;
  answer: Record<string, unknown>;
  isUsed: boolean;
}

/**
 * A token endpoint with strict rotation: reusing a token ends its whole family. Its `/mcp` only
 * reports whether it accepts the token.
 */
export interface TokenServer {
  origin: string;
  rules: TokenServerRules;
  requests: TokenRequest[];
  /** Number of replays that ended a family. */
  reuses: () => number;
  authorization: (changes?: Partial<Authorization>) => Authorization;
  /** Issues tokens as a sign-in would. */
  grant: () => { accessToken: string; refreshToken: string };
  /** Returns true if a call with the token works. Counts as use of the token. */
  accepts: (accessToken: string) => boolean;
  refuseAccessTokens: () => void;
  revokeEverything: () => void;
  /** Every token ever issued. */
  secrets: () => string[];
  close: () => void;
}

export async function startTokenServer(): Promise<TokenServer> {
  const rules: TokenServerRules = {
    rotates: true,
    knowsRotationId: true,
    expiresIn: 3600,
    padding: "",
    delayMs: 0,
    before: () => false,
    after: () => false,
  };
  const requests: TokenRequest[] = [];
  const book = createBook(rules);
  const server = createServer((message, response) => {
    void handle(message, response);
  });

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(message);
    if (message.url === "/mcp") {
      const [, token = ""] = message.headers.authorization?.split(" ") ?? [];
      response.writeHead(book.accepts(token) ? 200 : 401).end();
      return;
    }
    const form = new URLSearchParams(body);
    const request = { path: message.url ?? "", form, headers: message.headers };
    requests.push(request);
    if (rules.before(request, response)) return;
    await new Promise((later) => setTimeout(later, rules.delayMs));
    const refreshToken = form.get("refresh_token");
    if (refreshToken === null) {
      book.revoke(form.get("token") ?? "");
      response.end();
      return;
    }
    const answer = book.use(refreshToken, form.get("rotation_id"));
    if (rules.after(request, response)) return;
    response.statusCode = "error" in answer ? 400 : 200;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  }

  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...book,
    origin,
    rules,
    requests,
    authorization: (changes = {}) => ({
      issuer: origin,
      tokenEndpoint: `${origin}/token`,
      revocationEndpoint: `${origin}/revoke`,
      resource: `${origin}/mcp`,
      client: { id: "bridge", authMethod: "none", registered: false },
      scope: "read",
      ...changes,
    }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Completes a sign-in as the browser's redirect does. */
export async function signInAt(
  server: TokenServer,
  context: Context,
  store: SecretStore,
  changes: Partial<NewSignIn> = {},
): Promise<{ accessToken: string; refreshToken: string }> {
  const granted = server.grant();
  await storeSignIn(context, store, {
    ...granted,
    authorization: server.authorization(),
    expiresIn: server.rules.expiresIn,
    clientSecret: undefined,
    ...changes,
  });
  return granted;
}

function createBook(rules: TokenServerRules) {
  const families = new Map<string, Family>();
  const accessTokens = new Map<string, Family>();
  const rotations = new Map<string, Rotation>();
  const causes = new Map<string, Rotation>();
  const given: string[] = [];
  let reuses = 0;

  function issue(family: Family): { accessToken: string; refreshToken: string } {
    const accessToken = `at_${randomBytes(24).toString("hex")}${rules.padding}`;
    accessTokens.set(accessToken, family);
    if (rules.rotates || family.live === "") {
      family.live = `rt_${randomBytes(24).toString("hex")}`;
      families.set(family.live, family);
    }
    given.push(accessToken, family.live);
    return { accessToken, refreshToken: family.live };
  }

  function use(refreshToken: string, id: string | null): Record<string, unknown> {
    const family = families.get(refreshToken);
    if (family?.alive !== true) return { error: "invalid_grant" };
    if (refreshToken !== family.live) return repeat(refreshToken, id, family);
    const cause = causes.get(refreshToken);
    if (cause !== undefined) cause.isUsed = true;
    const pair = issue(family);
    const answer = {
      token_type: "Bearer",
      access_token: pair.accessToken,
      expires_in: rules.expiresIn,
      ...(rules.rotates && { refresh_token: pair.refreshToken }),
    };
    const rotation = { id, answer, isUsed: false };
    rotations.set(refreshToken, rotation);
    causes.set(pair.accessToken, rotation).set(pair.refreshToken, rotation);
    return answer;
  }

  function repeat(refreshToken: string, id: string | null, family: Family) {
    const rotation = rotations.get(refreshToken);
    const isSame = rules.knowsRotationId && id !== null && rotation?.id === id;
    if (isSame && !rotation.isUsed) return rotation.answer;
    family.alive = false;
    reuses += 1;
    return { error: "invalid_grant" };
  }

  return {
    use,
    grant: () => issue({ alive: true, live: "" }),
    accepts: (accessToken: string) => {
      const isGood = accessTokens.get(accessToken)?.alive === true;
      const cause = causes.get(accessToken);
      if (isGood && cause !== undefined) cause.isUsed = true;
      return isGood;
    },
    revoke: (token: string) => {
      const family = families.get(token);
      if (family !== undefined) family.alive = false;
    },
    refuseAccessTokens: () => {
      accessTokens.clear();
    },
    revokeEverything: () => {
      for (const family of families.values()) family.alive = false;
    },
    reuses: () => reuses,
    secrets: () => given,
  };
}
