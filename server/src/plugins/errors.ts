import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { AppError, isRefusal, retryAfterOf, type ErrorCode } from "../errors.js";
import { nothingThere } from "../domain/shared/common-texts.js";
import { defaultLocale, inLocale } from "../language/locale.js";
import type { PlainText } from "../language/texts.js";
import { t } from "../language/translate.js";
import { cameFrom } from "../web/layout/came-from.js";
import { ErrorPage, unknownAddress } from "../web/layout/error-page.js";
import { redirectToMfaSetup } from "../web/layout/mfa-redirect.js";
import { keepExpired } from "../web/layout/typed-forms.js";
import { renderPage } from "../web/layout/layout.js";
import { inLocaleOf, sendPage, wantsData } from "../web/layout/reply.js";
import { describeRefusalForPeople } from "../web/text/refusals-for-people.js";
import { toRefusal } from "../db/query-errors.js";
import { registerSecurityHeaders, setPageHeaders } from "./security-headers.js";

/** The part of an error that people and programs may see. */
interface Failure {
  status: number;
  code: ErrorCode | "invalid_request" | "server_error";
  title: string;
  text: string;
  requestId?: string;
  retryAfterSeconds?: number;
  field?: string;
  /** URL of the form's page, filled in with the submitted values. */
  filledIn?: string | undefined;
}

const statusOf: Record<ErrorCode, number> = {
  validation_failed: 400,
  confirmation_mismatch: 400,
  unauthenticated: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  expired: 410,
  duplicate: 409,
  conflict: 409,
  already_member: 409,
  pending_invite: 409,
  invalid_transition: 409,
  not_empty: 409,
  last_owner: 409,
  self_removal: 409,
  rate_limited: 429,
  unavailable: 503,
};

const titles: Record<number, PlainText> = {
  400: "That didn't work",
  401: "Please sign in",
  403: "Not allowed",
  404: "Page not found",
  405: "That isn't possible here",
  409: "That isn't possible right now",
  410: "This link has expired",
  413: "Too much at once",
  415: "Format not recognized",
  429: "Please wait a moment",
  500: "Something went wrong",
  503: "Fettle is not available right now",
};

const texts: Record<number, PlainText> = {
  400: "The request could not be understood.",
  404: nothingThere,
  413: "The request is too large. Send at most 64 KiB.",
  415: "The server doesn't accept this content type here.",
};

/** Handles all errors and unknown URLs: pages for people, JSON for programs. */
export const errorsPlugin = fp(async (app) => {
  await registerSecurityHeaders(app);

  app.setErrorHandler(async (error, request, reply) => {
    // Left over from a response whose session couldn't be stored.
    reply.removeHeader("location");
    if (isRefusal(error, "second_factor_needed") && isPageOfPerson(request)) {
      return redirectToMfaSetup(request, reply, "admin");
    }
    if (!(error instanceof AppError) && statusOfError(error) === 403 && wantsPage(request)) {
      const next = await inLocaleOf(request, () => keepExpired(request));
      if (next !== undefined && request.person === null) return reply.redirect(next, 303);
      if (next !== undefined) {
        return answer(request, () => send(request, reply, expiredForm(next)));
      }
    }
    return answer(request, () => {
      const failure = toFailure(error, request);
      const isOurs = failure.status >= 500 && !isRefusal(error, "stopping");
      if (isOurs) request.log.error({ err: error }, "request failed");
      return send(request, reply, failure);
    });
  });

  const sendNotFound = (request: FastifyRequest, reply: FastifyReply) =>
    answer(request, () => send(request, reply, { ...fromStatus(404), code: "not_found" }));
  app.setNotFoundHandler(sendNotFound);
  // Runs before the body is parsed, which can take longer than the response.
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) sendNotFound(request, reply).catch(done);
    else done();
  });
});

/** Pages and their scripts use the reader's language. Programs get English. */
function answer<Answer>(request: FastifyRequest, send: () => Answer): Answer {
  return wantsPage(request) || isPageOfPerson(request)
    ? inLocaleOf(request, send)
    : inLocale(defaultLocale, send);
}

function toFailure(error: unknown, request: FastifyRequest): Failure {
  // The client has disconnected, and the connection's error isn't a server failure.
  if (request.raw.destroyed && !request.raw.complete) return fromStatus(400);
  const refusal = toRefusal(error);
  const isDone = request.hasCommitted || request.caller?.hasCommitted === true;
  if (refusal !== undefined) return isDone ? afterCommit(refusal) : fromAppError(refusal);
  const status = statusOfError(error);
  if (status === 403) return expiredForm();
  if (status < 500) return fromStatus(status);
  return {
    ...fromStatus(500),
    code: "server_error",
    text: isDone ? doneText() : t("Something went wrong on our side. Nothing was changed."),
    requestId: request.id,
  };
}

function doneText(): string {
  return t(
    "Something went wrong on our side, but your change was saved. Check before you try again.",
  );
}

/** Text for errors after a commit, because the usual text says that nothing was changed. */
function afterCommit(error: AppError): Failure {
  if (error.code !== "unavailable" || error.key === "outcome_unknown") return fromAppError(error);
  return { ...fromAppError(error), text: doneText() };
}

function fromAppError(error: AppError): Failure {
  const { code, field } = error;
  const retryAfterSeconds = retryAfterOf(error);
  return {
    ...fromStatus(statusOf[code]),
    code,
    text: describeRefusalForPeople(error),
    ...(field !== undefined && { field }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/** Only the form's hidden token causes a 403 that isn't an AppError. */
function expiredForm(filledIn?: string): Failure {
  return {
    status: 403,
    code: "forbidden",
    title: t("This form has expired"),
    text:
      filledIn === undefined
        ? t(
            "Nothing was changed, and your input wasn't saved. Open the page again and fill in the form once more.",
          )
        : t("Nothing was changed. Open the form again. Your input is still there."),
    filledIn,
  };
}

function fromStatus(status: number): Failure {
  return {
    status,
    code: status < 500 ? "invalid_request" : "server_error",
    title: t(titles[status] ?? (status < 500 ? "That didn't work" : "Something went wrong")),
    text: t(texts[status] ?? "The request could not be understood."),
  };
}

/** PostgreSQL rejects NUL in text. Only URLs can bring one this far. */
const invalidText: readonly unknown[] = ["22021", "22P05"];

/** Fastify's errors have a status. Any other error is a server error. */
function statusOfError(error: unknown): number {
  if (error instanceof Error && "code" in error && invalidText.includes(error.code)) return 400;
  if (!(error instanceof Error) || !("statusCode" in error)) return 500;
  const { statusCode } = error;
  return typeof statusCode === "number" && statusCode >= 400 ? statusCode : 500;
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
): Promise<FastifyReply> {
  const { status, retryAfterSeconds } = failure;
  void reply.code(status).header("cache-control", "no-store");
  if (retryAfterSeconds !== undefined) void reply.header("retry-after", retryAfterSeconds);
  if (!wantsPage(request)) {
    return reply.send({
      error: failure.code,
      message: failure.text,
      ...(failure.field !== undefined && { field: failure.field }),
      ...(failure.requestId !== undefined && { request_id: failure.requestId }),
    });
  }
  setPageHeaders(reply, request.routeOptions.config.script === "page" && "page");
  const page = ErrorPage({ ...failure, ...wayOn(request, failure) });
  if (status < 500 && isPageOfPerson(request)) return sendPage(reply, page);
  return reply.type("text/html; charset=utf-8").send(renderPage(page));
}

function isPageOfPerson(request: FastifyRequest): boolean {
  return request.routeOptions.config.page === true && request.person !== null;
}

/** Paths of machine endpoints never respond with a page, except for page routes among them. */
function wantsPage(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  const { config, url } = request.routeOptions;
  if (config.page === true && url !== unknownAddress) return !wantsData(request);
  const path = request.url.split("?", 1)[0] ?? "";
  return (
    accept?.includes("text/html") === true && !/^\/(?:mcp|oauth|\.well-known)(?:\/|$)/.test(path)
  );
}

/** Links back to the page with the form, if the browser sent its URL. */
function wayOn(
  request: FastifyRequest,
  { status, filledIn }: Failure,
): { action?: { href: string; label: string } } {
  if (filledIn !== undefined)
    return { action: { href: filledIn, label: t("Open the form again") } };
  const address = status === 403 ? cameFrom(request) : undefined;
  if (address === undefined) return {};
  return { action: { href: address, label: t("Open the page again") } };
}
