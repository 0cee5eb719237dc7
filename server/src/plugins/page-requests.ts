import cookie from "@fastify/cookie";
import csrfProtection from "@fastify/csrf-protection";
import formbody from "@fastify/formbody";
import session from "@fastify/session";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { parse, type ParsedUrlQuery } from "node:querystring";
import { originOf, type Origin } from "../domain/audit/record-activity.js";
import { createSecret } from "../domain/shared/secrets.js";
import { findOrganizationsOf } from "../domain/organizations/organizations.js";
import { hasSession, sessionLifeMs } from "../domain/accounts/sessions.js";
import { forgetOfflinePerson } from "../web/layout/offline-cookie.js";
import { keepReturn } from "../web/layout/return-addresses.js";
import { onResponseClosed } from "../traffic/answer-end.js";
import { rateLimited } from "../traffic/rate-limited.js";
import { refuseShortly } from "../traffic/address-rate.js";
import type { Person } from "./context.js";
import { localePlugin } from "./locale.js";
import { setPageHeaders, type PageScript } from "./security-headers.js";
import { createSessionStore } from "./session-store.js";
import { cookieOptions } from "../web/layout/cookie-options.js";
import { createVisitorCookie, type VisitorCookie } from "./visitor-cookie.js";
import { isLoopback } from "../config.js";
import { AppError } from "../errors.js";

declare module "fastify" {
  interface FastifyRequest {
    /** For the activity log. Browser requests only. */
    activityOrigin: () => Origin;
  }
  interface FastifyContextConfig {
    /** True if a person views the response, so errors are pages too. */
    page?: boolean;
    /** True if the form has its own page, where submitted values can be filled in again. */
    keepsTyped?: boolean;
    /**
     * The page's script: for passkeys, for lists and forms, or for scanning. Pages about the account
     * and its security have none.
     */
    script?: PageScript;
    /** A static file that every page loads, equal for everyone. */
    file?: boolean;
    /** User content, without a page around it. */
    content?: boolean;
  }
}

const sessionCookie = "__Host-fettle";

/** Longer URLs don't fit into a visitor's cookie. */
const maxReturn = 2500;

/** Features of pages that machine endpoints lack: forms, cookie, session and person. */
export const pageRequestsPlugin = fp(async (app) => {
  app.removeContentTypeParser(["application/json", "text/plain"]);
  await app.register(formbody, { bodyLimit: 65_536, parser: parseForm });
  const visitorCookie = await registerSessions(app);

  app.decorateRequest("newSessionId");
  app.decorateRequest("openReports");
  app.decorateRequest("failingWebhooks");
  app.decorateRequest("activityOrigin", function (this: FastifyRequest) {
    return originOf(this);
  });

  const admit = app.services.createCallerLimit("pages");
  const limitPages = async ({ id: userId }: Person, reply: FastifyReply) => {
    const reader = { organizationId: userId, userId };
    reply.request.reader = reader;
    const admission = await admit(reader);
    if (admission.kind === "flood") return refuseShortly(reply, admission.seconds);
    if (admission.kind !== "ok") throw rateLimited("pages", admission.seconds * 1000);
    onResponseClosed(reply, admission.leave);
    return undefined;
  };
  const limitStrangers = app.services.createAddressLimit("strangers");
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, page: true };
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    setPageHeaders(reply, request.routeOptions.config.script);
    if (changesSomething(request)) refuseForeignOrigin(request, app.services.config.baseUrl);
    request.person = request.session.person ?? null;
    if (request.person === null) visitorCookie.read(request);
    if (request.routeOptions.config.file === true) return undefined;
    if (request.person !== null) return limitPages(request.person, reply);
    return limitStrangers(request);
  });
  await app.register(localePlugin);
  app.addHook("preHandler", async (request) => {
    if (changesSomething(request)) await readSessionAgain(request);
  });
  app.addHook("preHandler", (request, reply, done) => {
    if (changesSomething(request)) app.csrfProtection(request, reply, done);
    else done();
  });
  app.addHook("onSend", async (request, reply) => {
    if (request.routeOptions.config.file !== true) forgetOfflinePerson(request, reply);
    markCookiesSecure(reply);
  });
});

/** A form may take minutes to arrive. If its session has ended meanwhile, it is anonymous. */
async function readSessionAgain(request: FastifyRequest): Promise<void> {
  const { server, person, session } = request;
  if (person === null) return;
  const { systemDb, lookUpForPerson } = server.services;
  const { sessionId, signedInBy } = session;
  const isThere = await lookUpForPerson(person.id, async () => {
    request.memberships = await findOrganizationsOf(systemDb, person.id, signedInBy, sessionId);
    return request.memberships.length > 0 || hasSession(systemDb, sessionId);
  });
  if (isThere) return;
  await session.regenerate();
  request.person = null;
}

/** Parsed fields can take many times the memory of their text. Our forms have about fifty. */
const maxFields = 1000;

function parseForm(text: string): ParsedUrlQuery {
  if (text.split("&", maxFields + 1).length > maxFields) {
    throw Object.assign(new Error("The form has too many fields."), { statusCode: 413 });
  }
  return parse(text);
}

/** Stores sessions of signed-in people as rows, and visitors' sessions in their own cookie. */
async function registerSessions(app: FastifyInstance): Promise<VisitorCookie> {
  // Files are equal for everyone and have no limit, so skip the session lookup.
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.config.file === true) delete request.headers.cookie;
    done();
  });
  await app.register(cookie);
  const visitorCookie = createVisitorCookie(sessionCookie, app.services.config.secretKeys);
  // Runs before the plugin stores a session: only signed-in people's sessions are stored.
  app.addHook("onSend", async (request, reply) => {
    const { session } = request as { session: FastifyRequest["session"] | null };
    if (session?.sessionId === undefined) return;
    if (session.userId !== undefined) {
      renewCookie(request, reply);
      return;
    }
    // Caches store files and would pass a cookie on to others.
    if (request.routeOptions.config.file !== true) visitorCookie.write(request, reply);
    request.session = {} as FastifyRequest["session"];
  });
  await app.register(session, {
    secret: app.services.config.secretKeys,
    cookieName: sessionCookie,
    cookie: { ...cookieOptions, maxAge: sessionLifeMs },
    store: createSessionStore(app),
    idGenerator: (request) => request?.newSessionId ?? createSecret(),
    saveUninitialized: false,
    rolling: false,
  });
  await app.register(csrfProtection, {
    sessionPlugin: "@fastify/session",
    getToken: (request) => readToken(request.body),
    logLevel: "info",
  });
  return visitorCookie;
}

/**
 * The plugin mistakes a cookie signed with an earlier key for another session's, and would drop it.
 */
function renewCookie({ cookies, session }: FastifyRequest, reply: FastifyReply): void {
  const { encryptedSessionId: renewed, sessionId } = session;
  const present = cookies[sessionCookie];
  if (present === renewed || present?.startsWith(`${sessionId}.`) !== true) return;
  cookies[sessionCookie] = renewed;
  void reply.setCookie(sessionCookie, renewed, { ...cookieOptions, maxAge: sessionLifeMs / 1000 });
}

/** Pre-handler of pages: sets `request.person`, or redirects to sign-in and back. */
export async function requirePerson(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (request.person !== null) return undefined;
  const next = request.method === "GET" ? rememberAddress(request) : undefined;
  return reply.redirect(next === undefined ? "/signin" : `/signin?next=${next}`, 303);
}

/** Stores the URL for after sign-in, if it can belong to a page. */
function rememberAddress(request: FastifyRequest): string | undefined {
  if (request.url.length > maxReturn) return undefined;
  if (!/^\/(?![/\\])/.test(request.url)) return undefined;
  return keepReturn(request, request.url);
}

export function changesSomething({ method }: FastifyRequest): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

function readToken(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("_csrf" in body)) return undefined;
  return typeof body._csrf === "string" ? body._csrf : undefined;
}

/**
 * Browsers accept a `__Host-` cookie only with "Secure", which they also accept on
 * http://localhost.
 */
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

/**
 * Rejects a form from another site (CON-07). Clients without a browser send neither header and have
 * no cookie worth stealing. They pass, but still need the form's hidden token.
 */
function refuseForeignOrigin(request: FastifyRequest, baseUrl: string): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isForeign =
    site === "cross-site" || (origin !== undefined && !isOwn(origin, request, baseUrl));
  if (isForeign) throw new AppError("forbidden", "form_of_other_site");
}

/** True for our own origin, and on a local server for any of its loopback names. */
function isOwn(origin: string, request: FastifyRequest, baseUrl: string): boolean {
  if (origin === baseUrl) return true;
  if (!isLoopback(new URL(baseUrl).hostname) || !URL.canParse(origin)) return false;
  const { protocol, host, hostname } = new URL(origin);
  return protocol === "http:" && isLoopback(hostname) && host === request.headers.host;
}
