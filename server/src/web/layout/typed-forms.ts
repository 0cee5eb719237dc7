import type { FastifyRequest } from "fastify";
import {
  isTooLong,
  keepTypedForm,
  readPersonStamp,
  takeTypedForm,
  type TypedForm,
} from "../../domain/accounts/typed-forms.js";
import { t } from "../../language/translate.js";
import { flash } from "./reply.js";
import { keepReturn } from "./return-addresses.js";

/** Fields that are never stored: secrets, and values for one session or one submission. */
const neverKept = /password|secret|^code$|^_|^request_key$/;

/**
 * Stores the form's input in the session while its sender is redirected. Returns false if it is too
 * long. The form's organization becomes the current one.
 */
export function saveDraft({ session, url: address, caller, body }: FastifyRequest): boolean {
  const organizationId = caller?.organizationId;
  if (organizationId !== undefined) session.organizationId = organizationId;
  delete session.typed;
  if (isTooLong(body)) return false;
  session.typed = { address, organizationId, body };
  return true;
}

/** Returns the input that was stored for this form, once. */
export async function restoreDraft(request: FastifyRequest): Promise<unknown> {
  const { session, url: address, caller, person } = request;
  if (session.signedOutForm !== undefined && person !== null) {
    delete session.signedOutForm;
    const { systemDb, typedSecrets } = request.server.services;
    const kept = await takeTypedForm(systemDb, typedSecrets, person.id);
    if (kept !== undefined) session.typed = kept;
  }
  const { typed } = session;
  const isOther =
    typed?.organizationId !== undefined && typed.organizationId !== caller?.organizationId;
  if (typed?.address !== address || isOther) return undefined;
  delete session.typed;
  return typed.body;
}

/**
 * Stores the input of a form whose session has ended, for the page's person. It is filled in again
 * after the sign-in, or at once if someone is signed in. Returns the next address. Undefined if
 * nothing is stored.
 */
export async function keepExpired(request: FastifyRequest): Promise<string | undefined> {
  const { person, session, routeOptions, server } = request;
  const sent = readSent(request.body);
  const userId = readPersonStamp(server.services.typedSecrets, textOf(sent["_person"]));
  if (routeOptions.config.keepsTyped !== true || userId === undefined) return undefined;
  if (person !== null && person.id !== userId) return undefined;
  const form = toForm(request.url, sent);
  const isKept = !isTooLong(form.body);
  const notice = isKept
    ? t("Your session has ended. Sign in again. Your input is kept.")
    : t("Your session has ended, and your input was too long to keep. Sign in again.");
  if (person !== null) {
    if (!isKept) return undefined;
    session.typed = form;
    if (form.organizationId !== undefined) session.organizationId = form.organizationId;
    return form.address;
  }
  if (isKept) {
    const { anonymousDb, anonymousQueue, typedSecrets } = server.services;
    await anonymousQueue(userId, () => keepTypedForm(anonymousDb, typedSecrets, userId, form));
    session.signedOutForm = form.organizationId ?? "";
  }
  flash(request, notice);
  return `/signin?next=${keepReturn(request, form.address)}`;
}

/** Shows a message above the form that the input is filled in again. */
export function tellFilledIn(request: FastifyRequest, takesFiles: boolean): void {
  if (request.session.message !== undefined) return;
  const filled = t("Your input is filled in again. Nothing is saved yet.");
  flash(request, takesFiles ? `${filled} ${t("Choose your files again.")}` : filled);
}

/** Records selected in a list are part of their form's address. */
function toForm(url: string, sent: Record<string, unknown>): TypedForm {
  const body = Object.fromEntries(Object.entries(sent).filter(([name]) => !neverKept.test(name)));
  const ids = [body["ids"]].flat().filter((id) => typeof id === "string");
  const query = ids.map((id) => `ids=${encodeURIComponent(id)}`).join("&");
  const address = ids.length === 0 || url.includes("?") ? url : `${url}?${query}`;
  const organizationId = textOf(sent["_organization"]);
  return { address, organizationId: organizationId === "" ? undefined : organizationId, body };
}

function readSent(body: unknown): Record<string, unknown> {
  return typeof body === "object" && body !== null ? { ...body } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
