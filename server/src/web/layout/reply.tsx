import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../domain/access/caller.js";
import type { Reader } from "../../domain/accounts/reader.js";
import { countOpenReports } from "../../domain/reports/find-reports.js";
import { makePersonStamp } from "../../domain/accounts/typed-forms.js";
import { AppError, retryAfterOf } from "../../errors.js";
import { inLocale, negotiateLocale, type Locale } from "../../language/locale.js";
import { LayoutContext, type Layout, type Message } from "./layout-context.js";
import { renderPage } from "./layout.js";

/** Sends a page; `reply.code` before it where it is not 200. */
export async function sendPage(reply: FastifyReply, page: VNode): Promise<FastifyReply> {
  const { request } = reply;
  // Most forms lead on without a page. After a change its page is sent, whatever the count says.
  if (request.method === "POST") await readOpenReports(request).catch(() => undefined);
  const layout = createLayout(reply);
  const html = inLocaleOf(reply.request, () =>
    renderPage(<LayoutContext.Provider value={layout}>{page}</LayoutContext.Provider>),
  );
  return reply.type("text/html; charset=utf-8").send(html);
}

/** For the navigation. */
export async function readOpenReports(request: FastifyRequest): Promise<void> {
  if (request.caller === null) return;
  request.openReports = await countOpenReports(request.db, request.caller);
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
    hasScript: request.routeOptions.config.script === "page",
    get csrfToken() {
      return (token ??= reply.generateCsrf());
    },
    get personStamp() {
      return (stamp ??=
        person === null ? "" : makePersonStamp(request.server.services.typedSecrets, person.id));
    },
    get message() {
      return takeFlash(request);
    },
  };
}

function toOrganization({ organizationId: id, organizationName: name }: Caller) {
  return { id, name };
}

/** Before the page of a form that was refused; whoever sends too many is told when to try again. */
export function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof AppError) || error.code !== "rate_limited") return reply.code(400);
  return reply.code(429).header("retry-after", retryAfterOf(error) ?? 60);
}

/** Who acts, on a page behind `requireMember`. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error("This page needs requireMember before it.");
  return caller;
}

/** In which language and formats a page is read: the person's, or else what the browser asks for. */
function localeOf({ person, headers }: FastifyRequest): Locale {
  return person?.locale ?? negotiateLocale(headers["accept-language"]);
}

/** Writes what the sender of a request reads: in their language, by their clock or else the organization's. */
export function inLocaleOf<Result>(request: FastifyRequest, act: () => Result): Result {
  const findTimeZone = () => request.person?.timeZone ?? request.caller?.timeZone;
  return inLocale(localeOf(request), act, findTimeZone);
}

/** Who is signed in, on a page behind `readMember` or `requirePerson`. */
export function personOf({ person }: FastifyRequest): Reader {
  if (person === null) throw new Error("This page needs requirePerson before it.");
  return person;
}

/** Says what just happened on top of the next page, with a link to it. */
export function flash(
  { session }: FastifyRequest,
  text: string,
  to?: { href: string; label: string },
  kind?: Message["kind"],
): void {
  session.message = { text, to, ...(kind !== undefined && { kind }) };
}

/** Says on top of the next page why nothing happened. */
export function flashRefusal({ session }: FastifyRequest, text: string): void {
  session.message = { text, kind: "refusal" };
}

/** What just happened, once. */
function takeFlash({ session }: FastifyRequest): Message | undefined {
  const { message } = session;
  delete session.message;
  return message;
}
