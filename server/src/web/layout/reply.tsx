import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../domain/access/caller.js";
import type { Reader } from "../../domain/accounts/reader.js";
import { seesActivityOfAll } from "../../domain/audit/activity-queries.js";
import { findTroubles } from "../../domain/messaging/webhooks.js";
import { countOpenReports } from "../../domain/reports/find-reports.js";
import { makePersonStamp } from "../../domain/accounts/typed-forms.js";
import { AppError, retryAfterOf } from "../../errors.js";
import { inLocale, negotiateLocale, type Locale } from "../../language/locale.js";
import { LayoutContext, type Layout, type Message } from "./layout-context.js";
import { renderPage } from "./layout.js";
import { isCopy } from "./offline-cookie.js";

/** Sends a page. Set `reply.code` before if it is not 200. */
export async function sendPage(reply: FastifyReply, page: VNode): Promise<FastifyReply> {
  const { request } = reply;
  // Most forms redirect without a page. After a change, a failed count must not prevent the page.
  if (request.method === "POST") await readCounts(request).catch(() => undefined);
  const layout = createLayout(reply);
  const html = inLocaleOf(reply.request, () =>
    renderPage(<LayoutContext.Provider value={layout}>{page}</LayoutContext.Provider>),
  );
  return reply.type("text/html; charset=utf-8").send(html);
}

/** Reads the numbers in the navigation. The home page and the settings mark failing webhooks. */
export async function readCounts(request: FastifyRequest): Promise<void> {
  const { caller, db, routeOptions } = request;
  if (caller === null) return;
  const { url = "" } = routeOptions;
  const marksWebhooks = (url === "/" || url.startsWith("/settings")) && seesActivityOfAll(caller);
  const [openReports, troubles] = await Promise.all([
    countOpenReports(db, caller),
    marksWebhooks ? findTroubles(db, caller) : undefined,
  ]);
  request.openReports = openReports;
  request.failingWebhooks = troubles?.size;
}

function createLayout(reply: FastifyReply): Layout {
  const { request } = reply;
  const { caller, person } = request;
  let token: string | undefined;
  let stamp: string | undefined;
  return {
    person,
    organization: caller === null ? undefined : toOrganization(caller),
    organizations: request.memberships,
    isAdmin: caller !== null && isOrganizationAdmin(caller),
    openReports: request.openReports,
    unread: caller === null ? 0 : countUnread(request, caller),
    failingWebhooks: request.failingWebhooks ?? 0,
    hasScript: request.routeOptions.config.script === "page",
    get csrfToken() {
      return (token ??= reply.generateCsrf());
    },
    get personStamp() {
      return (stamp ??=
        person === null ? "" : makePersonStamp(request.server.services.typedSecrets, person.id));
    },
    get message() {
      return isCopy(request) ? undefined : takeFlash(request);
    },
  };
}

/** Read together with the person's memberships. */
function countUnread({ memberships }: FastifyRequest, { organizationId }: Caller): number {
  return memberships.find(({ id }) => id === organizationId)?.unread ?? 0;
}

function toOrganization({ organizationId: id, organizationName: name }: Caller) {
  return { id, name };
}

/**
 * Call it before sending the page of a refused form. If the person is rate limited, it sets
 * `Retry-After`.
 */
export function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof AppError) || error.code !== "rate_limited") return reply.code(400);
  return reply.code(429).header("retry-after", retryAfterOf(error) ?? 60);
}

/** The caller. Only for pages behind `requireMember`. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error("This page needs requireMember before it.");
  return caller;
}

/** The locale of a page: the person's, or else the browser's preference. */
function localeOf({ person, headers }: FastifyRequest): Locale {
  return person?.locale ?? negotiateLocale(headers["accept-language"]);
}

/** True for the scripts of our pages, which get JSON. */
export function wantsData({ headers: { accept = "" } }: Pick<FastifyRequest, "headers">): boolean {
  return accept.includes("application/json") && !accept.includes("text/html");
}

/** Runs `act` in the sender's language, with their time zone or else the organization's. */
export function inLocaleOf<Result>(request: FastifyRequest, act: () => Result): Result {
  const findTimeZone = () => request.person?.timeZone ?? request.caller?.timeZone;
  return inLocale(localeOf(request), act, findTimeZone);
}

/** The signed-in person. Only for pages behind `readMember` or `requirePerson`. */
export function personOf({ person }: FastifyRequest): Reader {
  if (person === null) throw new Error("This page needs requirePerson before it.");
  return person;
}

/** Shows a message at the top of the next page, with a link or an Undo button. */
export function flash(
  { session }: FastifyRequest,
  text: string,
  to?: Message["to"],
  more: Pick<Message, "kind" | "undo"> = {},
): void {
  session.message = { text, to, ...more };
}

/** Shows at the top of the next page why nothing happened. */
export function flashRefusal({ session }: FastifyRequest, text: string): void {
  session.message = { text, kind: "refusal" };
}

/** Returns the message and removes it from the session. */
function takeFlash({ session }: FastifyRequest): Message | undefined {
  const { message } = session;
  delete session.message;
  return message;
}
