import type { Scope } from "fettle-shared";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Tx } from "../db/database.js";
import { endSession } from "../domain/accounts/sessions.js";
import { endSubscription } from "../domain/messaging/push-subscriptions.js";
import { readPushMark } from "../web/layout/push-cookie.js";
import type { SignInProof } from "../domain/shared/sign-in-proof.js";
import { countActivity } from "../domain/audit/counted-activity.js";
import { recordActivity } from "../domain/audit/record-activity.js";
import {
  decideRequest,
  findOpenRequest,
  lockMembership,
  type OpenRequest,
  type RequestOwner,
} from "../domain/oauth/authorizations.js";
import { findOrganizationsOf, type Membership } from "../domain/organizations/organizations.js";
import { commit } from "../domain/history/transactions.js";
import { findClient, markConsented, type RegisteredClient } from "../domain/oauth/clients.js";
import { toConnectionLifetime } from "../domain/oauth/connection-lifetimes.js";
import { hasRedirectUri, toRedirectTarget, withParameters } from "../domain/oauth/redirect-uris.js";
import { findPresentAccess } from "../domain/oauth/present-access.js";
import type { PlainText } from "../language/texts.js";
import { t } from "../language/translate.js";
import type { FormError } from "../web/layout/error-summary.js";
import { redirectToMfaSetup, type SecondFactorLead } from "../web/layout/mfa-redirect.js";
import { sendBack } from "./authorize.js";
import { readSubmission, toFirstChoices, type ConsentChoices } from "./consent-form.js";
import { sendConsentPage } from "./consent-page.js";
import { sendDeadEnd } from "./dead-end-page.js";
import { issueCode } from "./engine.js";
import type { AccessByOrganization } from "./own-rights.js";
import { ownerOf } from "./request-owner.js";
import { requirePerson } from "../plugins/page-requests.js";

/** A request that waits for the decision of the person who views it. */
interface Pending {
  open: OpenRequest;
  client: RegisteredClient;
  owner: RequestOwner;
  person: { id: string; name: string; email: string };
  organizations: Membership[];
  access: AccessByOrganization;
}

const gone: PlainText =
  "This connection request was already answered, is too old, or belongs to someone else.";

/** The consent page, shown for every authorization, even of a previously approved app. */
export const consentEndpoint: FastifyPluginAsync = async (app) => {
  const limitApprovals = app.services.createLimit("approvals-of-person");
  app.get<{ Params: { id: string } }>(
    "/oauth/consent/:id",
    { preHandler: requirePerson },
    async (request, reply) => {
      const pending = await findPending(app, request, request.params.id);
      if (pending === undefined) return sendDeadEnd(reply, gone);
      const choices = toFirstChoices(pending.open, pending.organizations);
      return sendConsentPage(reply, { ...pending, choices, errors: [] });
    },
  );

  app.post<{ Params: { id: string } }>("/oauth/consent/:id", async (request, reply) => {
    const pending = await findPending(app, request, request.params.id);
    if (pending === undefined) return sendDeadEnd(reply, gone);
    const { decision, choices, errors } = readSubmission(request.body, pending.organizations);
    switch (decision) {
      case "allow":
        if (errors.length > 0) return refuse(reply, pending, choices, errors);
        await limitApprovals(pending.person.id);
        return allow(app, request, reply, pending, choices);
      case "deny":
        return deny(app, request, reply, pending, choices);
      case "switch":
        return switchAccount(app, request, reply, pending);
      case undefined:
      default:
        return refuse(reply, pending, choices, [{ message: t("Choose Allow or Deny.") }]);
    }
  });
};

async function findPending(
  app: FastifyInstance,
  request: FastifyRequest,
  id: string,
): Promise<Pending | undefined> {
  const { person } = request;
  if (person === null || id.includes("\0")) return undefined;
  const owner = ownerOf(request, person);
  const db = app.services.systemDb;
  const open = await findOpenRequest(db, id, owner);
  if (open === undefined) return undefined;
  const client = await findClient(db, open.client_id);
  // The client's document may have removed the URI meanwhile.
  if (client === undefined || !hasRedirectUri(client, open.redirect_uri)) return undefined;
  const organizations = await findOrganizationsOf(db, person.id);
  const access = await findPresentAccess(
    db,
    { userId: person.id, clientId: open.client_id },
    organizations.map((organization) => organization.id),
  );
  return { open, client, owner, person, organizations, access };
}

/** Shows the page again with the person's selection. The request stays open. */
async function refuse(
  reply: FastifyReply,
  pending: Pending,
  choices: ConsentChoices,
  errors: FormError[],
): Promise<FastifyReply> {
  return sendConsentPage(reply.code(400), { ...pending, choices, errors });
}

async function allow(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: Pending,
  choices: ConsentChoices,
): Promise<FastifyReply> {
  // A long-held membership lock delays only its own organization.
  const { organizationId = "" } = choices;
  await app.services.enterOrganization({ organizationId, userId: pending.person.id }, reply);
  const outcome = await approve(request, pending, choices);
  switch (outcome.kind) {
    case "gone":
      return sendDeadEnd(reply, gone);
    case "factor":
      // Asks the question again afterwards, because the new session id changes the request's owner.
      return redirectToMfaSetup(request, reply, outcome.why, toAuthorizeAddress(pending.open));
    case "left":
      return refuse(reply, pending, choices, [
        {
          field: "organization_id",
          message: t("You're no longer a member of this organization."),
        },
      ]);
    case "approved":
      return sendBack(app, reply, pending.open.redirect_uri, {
        code: outcome.code,
        state: pending.open.state ?? undefined,
      });
  }
}

type Outcome =
  | { kind: "gone" }
  | { kind: "left" }
  | { kind: "factor"; why: SecondFactorLead["why"] }
  | { kind: "approved"; code: string };

/** Consumes the request and issues its code, together with the activity log entry. */
async function approve(
  request: FastifyRequest,
  { open, client, owner, person }: Pending,
  { organizationId = "", scopes, lifetime }: ConsentChoices,
): Promise<Outcome> {
  const days = toConnectionLifetime(lifetime);
  const who = { userId: person.id, proof: request.session.signedInBy };
  return commit<Outcome>({ db: request.db, caller: null }, async (tx) => {
    if (!(await lockMembership(tx, organizationId, person.id))) return { kind: "left" };
    const why = await findMissingFactor(tx, who, organizationId, scopes);
    if (why !== undefined) return { kind: "factor", why };
    if (!(await decideRequest(tx, open.id, owner))) return { kind: "gone" };
    const code = await issueCode(tx, client, {
      client_id: client.id,
      organization_id: organizationId,
      user_id: person.id,
      scopes,
      resource: open.resource,
      redirect_uri: open.redirect_uri,
      code_challenge: open.code_challenge,
      connection_days: days ?? null,
    });
    await markConsented(tx, client.id);
    await recordActivity(tx, {
      organizationId,
      userId: person.id,
      actorName: person.name,
      type: "app_connected",
      details: { ...toAppDetails(open), scopes, ...(days !== undefined && { days }) },
      origin: request.activityOrigin(),
    });
    return { kind: "approved", code };
  });
}

/** Returns why the organization requires a second factor that the person lacks, if it does. */
async function findMissingFactor(
  tx: Tx,
  { userId, proof }: { userId: string; proof: SignInProof | undefined },
  organizationId: string,
  scopes: readonly Scope[],
): Promise<SecondFactorLead["why"] | undefined> {
  const organizations = await findOrganizationsOf(tx, userId, proof);
  const chosen = organizations.find(({ id }) => id === organizationId);
  if (chosen?.lacks_second_factor === true) return "admin";
  const isDestructive = scopes.includes("mcp_destructive");
  return isDestructive && chosen?.lacks_it_for_destructive === true ? "destructive" : undefined;
}

function toAppDetails({ client_id, client_name, redirect_uri }: OpenRequest) {
  const returns_to = toRedirectTarget(redirect_uri).name;
  return { client_id, client_name: client_name ?? client_id, returns_to };
}

/** The log entry belongs to the selected organization, or to the person's account without one. */
async function deny(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { open, owner, person, organizations }: Pending,
  choices: ConsentChoices,
): Promise<FastifyReply> {
  const chosen = organizations.find(({ id }) => id === choices.organizationId);
  const isDecided = await commit({ db: request.db, caller: null }, async (tx) => {
    if (!(await decideRequest(tx, open.id, owner))) return false;
    const isMember = chosen !== undefined && (await lockMembership(tx, chosen.id, person.id));
    await countActivity(tx, {
      ...(isMember && { organizationId: chosen.id }),
      userId: person.id,
      actorName: person.name,
      type: "app_denied",
      details: toAppDetails(open),
      origin: request.activityOrigin(),
    });
    return true;
  });
  if (!isDecided) return sendDeadEnd(reply, gone);
  return sendBack(app, reply, open.redirect_uri, {
    error: "access_denied",
    error_description: "The person did not allow it.",
    state: open.state ?? undefined,
  });
}

/** Signs out, then asks the next person who signs in the question again. */
async function switchAccount(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { open, owner, person }: Pending,
): Promise<FastifyReply> {
  const isDecided = await commit({ db: app.services.systemDb, caller: null }, async (tx) => {
    if (!(await decideRequest(tx, open.id, owner))) return false;
    const who = { userId: person.id, actorName: person.name, origin: request.activityOrigin() };
    await endSession(tx, request.session.sessionId);
    const mark = readPushMark(request);
    if (mark !== undefined) await endSubscription(tx, person.id, mark);
    await recordActivity(tx, { ...who, type: "signed_out" });
    return true;
  });
  if (!isDecided) return sendDeadEnd(reply, gone);
  request.hasCommitted = true;
  await request.session.regenerate();
  return reply.redirect(toAuthorizeAddress(open), 303);
}

function toAuthorizeAddress(open: OpenRequest): string {
  return withParameters("/oauth/authorize", {
    response_type: "code",
    client_id: open.client_id,
    redirect_uri: open.redirect_uri_given ? open.redirect_uri : undefined,
    scope: open.requested_scopes.length > 0 ? open.requested_scopes.join(" ") : undefined,
    state: open.state ?? undefined,
    code_challenge: open.code_challenge,
    code_challenge_method: "S256",
    resource: open.resource,
  });
}
