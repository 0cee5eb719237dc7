import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LightMyRequestResponse } from "fastify";
import Provider from "oidc-provider";
import { Agent, request } from "undici";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { TestBrowser } from "./browser.js";

const pem = readFileSync(new URL("./apps-example.pem", import.meta.url), "utf8");

/** A person's claims at the provider. */
export interface ProviderPersona {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  amr?: string[];
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestProvider {
  issuer: string;
  clientSecret: string;
  /** The person for the next sign-ins. */
  persona: ProviderPersona;
  /** Overrides the provider's response for a path until the test ends. */
  replace: (path: string, handler: Handler) => void;
  /** Returns a signed token, with the provider's key by default. */
  sign: (claims: object, options?: { key?: KeyObject; alg?: string }) => string;
  /** Requested paths since the test began. */
  requests: string[];
}

/**
 * Starts OpenID Connect with `oidc-provider`, over https on a name that resolves to this computer.
 */
export function useIdentityProvider(
  redirectUri: string,
  name = "login.apps.example",
): () => TestProvider {
  let server: Server | undefined;
  let current: TestProvider | undefined;
  const replaced = new Map<string, Handler>();
  beforeAll(async () => {
    let handle: Handler = () => undefined;
    const started = createServer({ key: pem, cert: pem }, (incoming, response) => {
      const path = incoming.url?.split("?", 1)[0] ?? "";
      current?.requests.push(path);
      (replaced.get(path) ?? handle)(incoming, response);
    });
    await new Promise<void>((listening) => started.listen(0, "127.0.0.1", listening));
    server = started;
    const issuer = `https://${name}:${(started.address() as AddressInfo).port}`;
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const jwk = { ...privateKey.export({ format: "jwk" }), kid: "1", use: "sig", alg: "RS256" };
    const clientSecret = "a secret of the provider, for Fettle";
    const made: TestProvider = {
      issuer,
      clientSecret,
      persona: { sub: "nobody" },
      replace: (path, handler) => replaced.set(path, handler),
      sign: (claims, { key = createPrivateKey({ key: jwk, format: "jwk" }), alg = "RS256" } = {}) =>
        toToken(claims, key, alg),
      requests: [],
    };
    current = made;
    handle = createHandler(issuer, { redirectUri, clientSecret, jwk }, made);
  });
  beforeEach(() => {
    replaced.clear();
    current?.requests.splice(0);
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });
  return () => {
    if (current === undefined) throw new Error("The provider is there only while tests run.");
    return current;
  };
}

function createHandler(
  issuer: string,
  { redirectUri, clientSecret, jwk }: { redirectUri: string; clientSecret: string; jwk: object },
  test: TestProvider,
): Handler {
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: "fettle", client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [jwk] },
    ttl: { Grant: 60, Session: 60, Interaction: 60, AccessToken: 60, IdToken: 60 },
    cookies: { keys: ["of this test"] },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ["sub", "amr"], email: ["email", "email_verified"], profile: ["name"] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => {
        const { email, email_verified, name } = test.persona;
        return JSON.parse(JSON.stringify({ sub, email, email_verified, name })) as { sub: string };
      },
    }),
    loadExistingGrant: async ({ oidc }) => {
      const clientId = oidc.client?.clientId ?? "";
      const accountId = oidc.session?.accountId ?? "";
      const grant = new provider.Grant({ clientId, accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.Client.prototype.redirectUriAllowed = (uri) => uri.startsWith(redirectUri);
  const handle = provider.callback();
  return (incoming, response) => {
    if (incoming.url?.startsWith("/interaction/") !== true) {
      void handle(incoming, response);
      return;
    }
    const { sub, amr } = test.persona;
    const login = { accountId: sub, ...(amr !== undefined && { amr }) };
    void provider.interactionFinished(incoming, response, { login });
  };
}

function toToken(claims: object, key: KeyObject, alg: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const head = alg === "none" ? { alg } : { alg, kid: "1" };
  const text = `${encode(head)}.${encode(claims)}`;
  const signature = alg === "none" ? "" : sign("sha256", Buffer.from(text), key);
  return `${text}.${signature.toString("base64url")}`;
}

export function answerJson(body: unknown): Handler {
  return (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
}

/** Follows the provider's redirects as a browser without cookies. Returns the final address. */
export async function walk(start: string): Promise<URL> {
  const dispatcher = new Agent({
    connect: {
      ca: pem,
      lookup: (_, { all }, done) => {
        const found = { address: "127.0.0.1", family: 4 };
        if (all === true) done(null, [found]);
        else done(null, found.address, found.family);
      },
    },
  });
  const cookies = new Map<string, string>();
  const { origin } = new URL(start);
  try {
    let url = new URL(start);
    while (url.origin === origin) {
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const answer = await request(url, { dispatcher, headers: { cookie } });
      const text = await answer.body.text();
      for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const { location } = answer.headers;
      if (typeof location !== "string") throw new Error(`The provider says: ${text}`);
      url = new URL(location, url);
    }
    return url;
  } finally {
    await dispatcher.destroy();
  }
}

/** Enters an address in "Sign in with your organization". Returns the redirect. */
export async function startAtProvider(
  browser: TestBrowser,
  email: string,
  start = "/signin/provider",
): Promise<LightMyRequestResponse> {
  return browser.submitForm(await browser.get(start), { email });
}

/** Signs in with the provider completely. */
export async function signInAtProvider(
  browser: TestBrowser,
  email: string,
  start?: string,
): Promise<LightMyRequestResponse> {
  const sent = await startAtProvider(browser, email, start);
  const back = await walk(String(sent.headers.location));
  return browser.get(back.pathname + back.search);
}
