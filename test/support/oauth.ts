import { createHash, randomBytes } from "node:crypto";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import type { Database } from "../../server/src/db/database.js";
import { attributeOf, createBrowser, type TestBrowser } from "./browser.js";
import type { Member } from "./builders.js";

type Parameters = Record<string, string>;

export interface TestClient {
  id: string;
  secret: string | undefined;
  redirectUri: string;
}

export interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export const callback = "https://client.example/callback";

export async function register(
  app: FastifyInstance,
  metadata: Record<string, unknown> = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: "POST",
    url: "/oauth/register",
    payload: {
      client_name: "Test app",
      redirect_uris: [callback],
      token_endpoint_auth_method: "none",
      ...metadata,
    },
  });
}

/** Registers a client, public by default. */
export async function aClient(
  app: FastifyInstance,
  metadata: Record<string, unknown> = {},
): Promise<TestClient> {
  const answer = (await register(app, metadata)).json<{
    client_id: string;
    client_secret?: string;
    redirect_uris: string[];
  }>();
  return {
    id: answer.client_id,
    secret: answer.client_secret,
    redirectUri: answer.redirect_uris[0] ?? "",
  };
}

export interface Challenge {
  verifier: string;
  challenge: string;
}

export function aChallenge(): Challenge {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Returns the authorization address for a person. Undefined parameters are omitted. */
export function authorizeUrl(
  client: TestClient,
  { challenge }: Pick<Challenge, "challenge">,
  changes: Record<string, string | undefined> = {},
): string {
  const all: Record<string, string | undefined> = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: client.redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "state-1",
    ...changes,
  };
  const parameters = Object.entries(all).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return `/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
}

export async function signIn(app: FastifyInstance, member: Member): Promise<TestBrowser> {
  const browser = createBrowser(app);
  const page = await browser.get("/signin");
  const answer = await browser.submitForm(page, { email: member.email, password: member.password });
  if (answer.statusCode !== 303 && answer.statusCode !== 302) {
    throw new Error(`Sign-in failed: ${answer.statusCode} ${answer.body}`);
  }
  return browser;
}

/** Follows redirects within the server up to the first page or external redirect. */
export async function follow(
  browser: TestBrowser,
  answer: LightMyRequestResponse,
): Promise<LightMyRequestResponse> {
  const { location } = answer.headers;
  if (typeof location !== "string" || !location.startsWith("/")) return answer;
  return follow(browser, await browser.get(location));
}

export async function openConsent(
  browser: TestBrowser,
  client: TestClient,
  challenge: Pick<Challenge, "challenge">,
  changes: Record<string, string | undefined> = {},
): Promise<LightMyRequestResponse> {
  return follow(browser, await browser.get(authorizeUrl(client, challenge, changes)));
}

/** The selected scopes on a consent page. */
export function checkedScopes(page: LightMyRequestResponse): string[] {
  return [...page.body.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => /\schecked\b/.test(input))
    .map((input) => attributeOf(input, "value") ?? "");
}

export interface Choices {
  scope?: string | readonly string[];
  organization_id?: string;
  acknowledge_destructive?: string;
  connection_days?: string;
  decision?: string;
}

/** Parses the address of an external redirect. */
export function returnOf(answer: LightMyRequestResponse): {
  base: string;
  values: URLSearchParams;
} {
  const url = new URL(String(answer.headers.location));
  const { searchParams } = url;
  return { base: url.href.split("?", 1)[0] ?? "", values: searchParams };
}

export interface Approved extends Challenge {
  code: string;
  client: TestClient;
}

/** Runs the authorization as the person, from the app's address to the code. */
export async function approve(
  browser: TestBrowser,
  client: TestClient,
  choices: Choices = {},
  changes: Record<string, string | undefined> = {},
): Promise<Approved> {
  const challenge = aChallenge();
  const page = await openConsent(browser, client, challenge, changes);
  const answer = await browser.submitForm(page, {
    scope: ["mcp_read"],
    decision: "allow",
    ...choices,
  });
  if (answer.statusCode !== 303) throw new Error(`Refused: ${answer.statusCode} ${answer.body}`);
  const code = returnOf(answer).values.get("code") ?? "";
  return { ...challenge, code, client };
}

/** Posts a form to a machine endpoint. `authorization` is sent as a header. */
export async function postForm(
  app: FastifyInstance,
  url: string,
  form: Parameters | string,
  authorization?: string,
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: "POST",
    url,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(authorization !== undefined && { authorization }),
    },
    payload: typeof form === "string" ? form : new URLSearchParams(form).toString(),
  });
}

function credentialsOf({ id, secret }: TestClient): Parameters {
  return { client_id: id, ...(secret !== undefined && { client_secret: secret }) };
}

export async function exchange(
  app: FastifyInstance,
  { code, verifier, client }: Approved,
  changes: Parameters = {},
): Promise<LightMyRequestResponse> {
  return postForm(app, "/oauth/token", {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: client.redirectUri,
    ...credentialsOf(client),
    ...changes,
  });
}

export async function refresh(
  app: FastifyInstance,
  client: TestClient,
  refreshToken: string,
  changes: Parameters = {},
): Promise<LightMyRequestResponse> {
  return postForm(app, "/oauth/token", {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    ...credentialsOf(client),
    ...changes,
  });
}

/** Runs everything from sign-in to the first tokens. */
export async function connect(
  app: FastifyInstance,
  member: Member,
  choices: Choices = {},
  metadata: Record<string, unknown> = {},
): Promise<{ client: TestClient; tokens: Tokens; browser: TestBrowser }> {
  const client = await aClient(app, metadata);
  const browser = await signIn(app, member);
  const approved = await approve(browser, client, choices);
  const tokens = (await exchange(app, approved)).json<Tokens>();
  return { client, tokens, browser };
}

/** Returns the status of a call with this token. Anything but 401 means it was accepted. */
export async function callWith(app: FastifyInstance, token: string): Promise<number> {
  const answer = await app.inject({
    method: "POST",
    url: "/mcp",
    headers: {
      host: new URL(app.services.config.baseUrl).host,
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
    },
    payload: { jsonrpc: "2.0", id: 1, method: "ping" },
  });
  return answer.statusCode;
}

/** Moves a refresh token's use into the past. */
export async function ageRotation(db: Database, seconds: number): Promise<void> {
  await db.query(
    `UPDATE oauth_refresh_tokens SET rotated_at = rotated_at - make_interval(secs => $1)
     WHERE rotated_at IS NOT NULL`,
    [seconds],
  );
}
