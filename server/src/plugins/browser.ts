import cookie from "@fastify/cookie";
import csrfProtection from "@fastify/csrf-protection";
import formbody from "@fastify/formbody";
import session from "@fastify/session";
import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { findActivePerson } from "../domain/accounts/accounts.js";
import { originOf, type Origin } from "../domain/logs/activity.js";
import { createToken } from "../domain/values/ids.js";
import { createSecret } from "../domain/values/secrets.js";
import { sessionLifeMs } from "../domain/accounts/sessions.js";
import { refuseForeignOrigin } from "./same-origin.js";
import { createSessionStore } from "./session-store.js";

declare module "fastify" {
  interface FastifyRequest {
    /** For the activity log. Browser requests only. */
    activityOrigin: () => Origin;
  }
  interface FastifyContextConfig {
    /** Whether a person looks at the answer, so that errors are pages as well. */
    page?: boolean;
    /** A file that every page loads, the same for everybody. */
    file?: boolean;
  }
}

const sessionCookie = "__Host-fettle";

/** How many sign-ins a browser may have open at the same time, each with its own way on. */
const maxReturns = 8;

/** Longer addresses are not kept in a session. */
const maxReturn = 8192;

/** Requests of nobody signed in, by address: each may leave a session behind. */
const strangersPerMinute = 300;

/** Everything that pages have and machine endpoints have not: forms, cookie, session, person. */
export const browserPlugin = fp(async (app) => {
  app.removeContentTypeParser(["application/json", "text/plain"]);
  await app.register(formbody, { bodyLimit: 65_536 });
  await app.register(cookie);
  await app.register(session, {
    secret: app.config.secretKeys,
    cookieName: sessionCookie,
    // Not `secure` here: the plugin would then keep the cookie back on http://localhost.
    cookie: { path: "/", httpOnly: true, sameSite: "lax", secure: false, maxAge: sessionLifeMs },
    store: createSessionStore(app.db),
    idGenerator: () => createSecret(),
    saveUninitialized: false,
    rolling: false,
  });
  await app.register(csrfProtection, {
    sessionPlugin: "@fastify/session",
    getToken: (request) => readToken(request.body),
    logLevel: "info",
  });

  app.decorateRequest("activityOrigin", function (this: FastifyRequest) {
    return originOf(this);
  });
  app.decorate("requirePerson", requirePerson);

  const limitStrangers = app.createAddressLimit(strangersPerMinute);
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, page: true };
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    reply.helmet();
    if (changesSomething(request)) refuseForeignOrigin(request, app.config.baseUrl);
    await readPerson(request);
    if (request.person === null && request.routeOptions.config.file !== true)
      await limitStrangers(request);
  });
  app.addHook("preHandler", (request, reply, done) => {
    if (changesSomething(request)) app.csrfProtection(request, reply, done);
    else done();
  });
  app.addHook("onSend", async (_request, reply) => {
    markCookiesSecure(reply);
  });

  /** From the database each time: a deactivated account is signed out with its next request. */
  async function readPerson(request: FastifyRequest): Promise<void> {
    const { userId } = request.session;
    if (userId === undefined) return;
    const person = await findActivePerson(app.db.manager, userId);
    if (person === undefined) await request.session.regenerate();
    else request.person = person;
  }
});

async function requirePerson(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (request.person !== null) return undefined;
  const next = request.method === "GET" ? rememberAddress(request) : undefined;
  return reply.redirect(next === undefined ? "/signin" : `/signin?next=${next}`, 303);
}

/** Keeps the address in the session; only its key travels, so nobody can send a person elsewhere. */
function rememberAddress(request: FastifyRequest): string | undefined {
  if (request.url.length > maxReturn) return undefined;
  if (!/^\/(?![/\\])/.test(request.url)) return undefined;
  const earlier = Object.entries(request.session.returnTo ?? {});
  const known = earlier.find(([, address]) => address === request.url);
  if (known !== undefined) return known[0];
  const key = createToken();
  request.session.returnTo = Object.fromEntries([
    ...earlier.slice(1 - maxReturns),
    [key, request.url],
  ]);
  return key;
}

function changesSomething({ method }: FastifyRequest): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

function readToken(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("_csrf" in body)) return undefined;
  return typeof body._csrf === "string" ? body._csrf : undefined;
}

/** Browsers take a `__Host-` cookie only with "Secure", and take that on http://localhost as well. */
function markCookiesSecure(reply: FastifyReply): void {
  const header = reply.getHeader("set-cookie");
  if (header === undefined) return;
  const cookies = Array.isArray(header) ? header : [String(header)];
  reply.removeHeader("set-cookie");
  void reply.header(
    "set-cookie",
    cookies.map((text) => (/;\s*secure\b/i.test(text) ? text : `${text}; Secure`)),
  );
}
