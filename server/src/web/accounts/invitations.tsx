import type { FastifyInstance, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import {
  acceptInvitation,
  acceptWithNewAccount,
  findInvitation,
  hasJoined,
  type Invitation,
} from "../../domain/people/invite-acceptance.js";
import { checkAccount, verifyPasswordOf } from "../../domain/accounts/accounts.js";
import { commit } from "../../domain/history/transactions.js";
import { requiresSso, emailRequiresSso } from "../../domain/accounts/sso-required.js";
import { AppError } from "../../errors.js";
import { hiddenField, textField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import type { FormRequest } from "../forms/form-spec.js";
import { otherPage, seeOther } from "../forms/form-reply.js";
import { toFormErrors } from "../forms/form-errors.js";
import { t } from "../../language/translate.js";
import { flash } from "../layout/reply.js";
import { keepReturn } from "../layout/return-addresses.js";
import {
  DeadInvitationPage,
  JoinPage,
  NewAccountPage,
  OtherPersonPage,
  ProviderFirstPage,
  SignInFirstPage,
  UnknownInvitationPage,
} from "./invitation-pages.js";
import { hashOfLink, keepInvitation, waitingAddress } from "./stored-invitation.js";
import { completeSignIn, endSession, startSession } from "./sessions.js";
import { signOut } from "./sign-out.js";

/** `/invites/:token`: the emailed link. Opening it changes nothing. Its buttons do. */
export const invitationForm = formRoute({
  path: "/invites/:token",
  limit: "account-form",
  open: async ({ request, params: { token = "" } }) => hashOfLink(request, token),
  fields: {
    name: textField("Your name"),
    password: textField("Password"),
    decision: hiddenField,
  },
  inTransaction: false,
  change: async (_, { app, request, subject: tokenHash, values }) => {
    const { name = "", password = "", decision } = values;
    if (decision !== "sign_out") {
      return (await accept(app, request, tokenHash, { name, password })) ? "/" : undefined;
    }
    await signOut(request);
    keepInvitation(request, tokenHash);
    return waitingAddress;
  },
  toErrors: (error, form) => {
    const code = error instanceof AppError ? error.code : undefined;
    // The invitation changed meanwhile, so its current page is the response.
    if (code === "expired" || code === "forbidden" || code === "duplicate") return showNow(form);
    // Password attempts come from a used link. Its page has no form to show the error.
    if (code === "rate_limited") throw error;
    return toFormErrors(error);
  },
  done: (address, form) => (address === undefined ? showNow(form) : seeOther(address)),
  page: async (form) => {
    const { status, page } = await findPage(form);
    if (status !== 200) void form.reply.code(status);
    return page;
  },
});

/** True if people of this address must sign in with the organization's identity provider. */
function hasProvider({ db }: FastifyRequest, { organization_id, email }: Invitation) {
  return emailRequiresSso(db, email, organization_id);
}

async function showNow(form: FormRequest & { subject: Buffer }) {
  const { status, page } = await findPage(form);
  return otherPage(status, page);
}

/** Returns true if the person is a member now, even from an earlier submit. */
async function accept(
  app: FastifyInstance,
  request: FastifyRequest,
  tokenHash: Buffer,
  { name, password }: { name: string; password: string },
): Promise<boolean> {
  const invitation = await findInvitation(request.db, tokenHash);
  if (invitation === undefined) return false;
  if (invitation.status === "accepted") return comeBack(app, request, invitation, password);
  if (invitation.status !== "pending") return false;
  const { person } = request;
  const acceptance = { tokenHash, origin: request.activityOrigin() };
  // Acceptances queue per organization, because the organization may have its invitations locked.
  const inTurn = <Result,>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    app.services.anonymousQueue(invitation.organization_id, () =>
      commit({ db: request.db, caller: null, request }, work),
    );
  try {
    if (person !== null) {
      const { sessionId } = request.session;
      await inTurn((tx) => acceptInvitation(tx, { ...acceptance, sessionId }, person));
      await enter(request, invitation, person.id);
    } else if (invitation.account_id === null && !(await hasProvider(request, invitation))) {
      const { origin } = acceptance;
      const account = await checkAccount({ email: invitation.email, name, password, origin });
      const made = await inTurn((tx) => acceptWithNewAccount(tx, acceptance, account));
      await startSession(request, made.person.id);
      await enter(request, invitation);
    } else {
      return false;
    }
    return true;
  } catch (error) {
    const now = await findInvitation(request.db, tokenHash);
    if (now?.status === "accepted" && (await comeBack(app, request, now, password))) return true;
    throw error;
  }
}

/** For a second submit of the form. The first one already let the person in. */
async function comeBack(
  app: FastifyInstance,
  request: FastifyRequest,
  invitation: Invitation,
  password: string,
): Promise<boolean> {
  const { accepted_by: acceptedBy, email } = invitation;
  if (request.person === null && password !== "") {
    await app.services.signInThrottle.begin("password", request.ip, email);
    const origin = request.activityOrigin();
    const attempt = { email, password, origin, failures: app.services.failedSignIns };
    const person = await verifyPasswordOf(request.db, attempt);
    // A person who has a second factor by now signs in at the page that asks for it.
    if (person === undefined || person.id !== acceptedBy || person.hasSecondFactor) return false;
    if (await requiresSso(request.db, person.id)) return false;
    await completeSignIn(app, request, person, { method: "password" });
  } else if (request.person === null || request.person.id !== acceptedBy) {
    return false;
  }
  if (!(await hasJoined(request.db, invitation, acceptedBy))) return false;
  await enter(request, invitation, request.person?.id);
  return true;
}

/**
 * Makes the invitation's organization current. If it requires its identity provider, signs the
 * person out to sign in there.
 */
async function enter(
  request: FastifyRequest,
  { organization_id: organizationId, organization_name: organization }: Invitation,
  userId?: string,
): Promise<void> {
  const isByProvider = request.session.signedInBy?.method === "provider";
  if (userId !== undefined && !isByProvider && (await requiresSso(request.db, userId))) {
    await endSession(
      request,
      t("You're now a member of {organization}. Sign in with its identity provider to continue.", {
        organization,
      }),
    );
    return;
  }
  request.session.organizationId = organizationId;
  flash(request, t("Welcome to {organization}.", { organization }));
}

/** The page for the invitation's current state and this person. */
async function findPage({
  request,
  subject: tokenHash,
}: Pick<FormRequest, "app" | "request"> & { subject: Buffer }): Promise<{
  status: number;
  page: VNode;
}> {
  const { person } = request;
  const invitation = await findInvitation(request.db, tokenHash);
  if (invitation === undefined) return { status: 404, page: <UnknownInvitationPage /> };
  const isIn = person !== null && (await hasJoined(request.db, invitation, person.id));
  const { status, account_id: accountId } = invitation;
  const view = { invitation, isIn };
  if (status !== "pending") {
    return { status: isIn ? 200 : 410, page: <DeadInvitationPage {...view} status={status} /> };
  }
  if (person !== null) {
    const isInvited = person.id === accountId;
    const page = isInvited ? <JoinPage {...view} /> : <OtherPersonPage {...view} person={person} />;
    return { status: 200, page };
  }
  if (accountId === null && (await hasProvider(request, invitation))) {
    return { status: 200, page: <ProviderFirstPage invitation={invitation} /> };
  }
  if (accountId === null) return { status: 200, page: <NewAccountPage invitation={invitation} /> };
  keepInvitation(request, tokenHash);
  const signIn = `/signin?next=${keepReturn(request, waitingAddress)}`;
  return { status: 200, page: <SignInFirstPage invitation={invitation} signIn={signIn} /> };
}
