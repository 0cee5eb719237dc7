import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import {
  acceptInvitation,
  acceptWithNewAccount,
  findInvitation,
  hasJoined,
  type Invitation,
} from "../../domain/invites/invite-acceptance.js";
import { verifySignIn } from "../../domain/accounts/accounts.js";
import { commit } from "../../domain/sql/transactions.js";
import { AppError } from "../../errors.js";
import { readFields, toFormErrors } from "../forms/forms.js";
import type { FormError } from "../layout/parts.js";
import { layoutProps, sendPage, takeFlash, flash } from "../layout/reply.js";
import {
  DeadInvitationPage,
  JoinPage,
  NewAccountPage,
  OtherPersonPage,
  SignInFirstPage,
  UnknownInvitationPage,
  type InvitationView,
} from "./invitation-pages.js";
import { hashOfLink, keepInvitation, signInAddress, waitingAddress } from "./kept-invitation.js";
import { startSession } from "./sessions.js";
import { fewPerAddress } from "./setup.js";
import { signOut } from "./sign-out.js";

interface Link {
  Params: { token: string };
}

/** `/invites/:token`: the mailed link. Opening it changes nothing; its buttons do. */
export const invitationPages: FastifyPluginAsync = async (app) => {
  app.get<Link>("/invites/:token", async (request, reply) =>
    show(app, request, reply, hashOfLink(request, request.params.token)),
  );

  app.post<Link>(
    "/invites/:token",
    { config: { rateLimit: fewPerAddress } },
    async (request, reply) => {
      const tokenHash = hashOfLink(request, request.params.token);
      const values = readFields(request.body, ["name", "password", "decision"]);
      if (values.decision === "sign_out") {
        await signOut(app, request);
        keepInvitation(request, tokenHash);
        return reply.redirect(waitingAddress, 303);
      }
      try {
        if (await accept(app, request, tokenHash, values)) return await reply.redirect("/", 303);
      } catch (error) {
        const code = error instanceof AppError ? error.code : undefined;
        // What the page shows now is the answer: meanwhile something has happened to it.
        if (code === "expired" || code === "forbidden" || code === "duplicate") {
          return show(app, request, reply, tokenHash);
        }
        // Tries of a password come from a link that is used up, whose page has no form to say it on.
        if (code === "rate_limited") throw error;
        const errors = toFormErrors(error);
        return show(app, request, reply.code(400), tokenHash, { values, errors });
      }
      return show(app, request, reply, tokenHash);
    },
  );
};

/** True when the person is in now, be it since an earlier press of the button. */
async function accept(
  app: FastifyInstance,
  request: FastifyRequest,
  tokenHash: Buffer,
  { name, password }: { name: string; password: string },
): Promise<boolean> {
  const invitation = await findInvitation(app.db.manager, tokenHash);
  if (invitation === undefined) return false;
  if (invitation.status === "accepted") return comeBack(app, request, invitation, password);
  if (invitation.status !== "pending") return false;
  const { person } = request;
  const acceptance = { tokenHash, origin: request.activityOrigin() };
  try {
    if (person !== null) {
      await commit(app.db, (tx) => acceptInvitation(tx, acceptance, person));
      enter(request, invitation);
    } else if (invitation.account_id === null) {
      const made = await commit(app.db, (tx) =>
        acceptWithNewAccount(tx, acceptance, { name, password }),
      );
      await startSession(request, made.person.id);
      enter(request, invitation);
    } else {
      return false;
    }
    return true;
  } catch (error) {
    const now = await findInvitation(app.db.manager, tokenHash);
    if (now?.status === "accepted" && (await comeBack(app, request, now, password))) return true;
    throw error;
  }
}

/** For who sends the form twice: the first time has let them in already. */
async function comeBack(
  app: FastifyInstance,
  request: FastifyRequest,
  invitation: Invitation,
  password: string,
): Promise<boolean> {
  const { accepted_by: acceptedBy, email } = invitation;
  if (request.person === null && password !== "") {
    await app.signInThrottle.begin(request.ip, email);
    const origin = request.activityOrigin();
    const person = await verifySignIn(app.db.manager, { email, password, origin });
    if (person === undefined || person.id !== acceptedBy) return false;
    await app.signInThrottle.succeed(request.ip, email);
    await startSession(request, person.id);
  } else if (request.person === null || request.person.id !== acceptedBy) {
    return false;
  }
  if (!(await hasJoined(app.db.manager, invitation, acceptedBy))) return false;
  enter(request, invitation);
  return true;
}

/** The pages that follow are about this organization. */
function enter(
  request: FastifyRequest,
  { organization_id: organizationId, organization_name: organization }: Invitation,
): void {
  request.session.organizationId = organizationId;
  flash(request, `Welcome to ${organization}.`);
}

interface Answers {
  values?: { name: string };
  errors?: readonly FormError[];
}

async function show(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  tokenHash: Buffer,
  answers: Answers = {},
): Promise<FastifyReply> {
  const invitation = await findInvitation(app.db.manager, tokenHash);
  if (invitation === undefined) return sendPage(reply.code(404), <UnknownInvitationPage />);
  const isIn = await isMember(app, request, invitation);
  if (invitation.status !== "pending") {
    const message = takeFlash(request);
    const view = { invitation, status: invitation.status, isIn, message };
    return sendPage(isIn ? reply : reply.code(410), <DeadInvitationPage {...view} />);
  }
  return sendPage(reply, showOpen(request, reply, tokenHash, { invitation, isIn, ...answers }));
}

async function isMember(
  app: FastifyInstance,
  { person }: FastifyRequest,
  invitation: Invitation,
): Promise<boolean> {
  return person !== null && (await hasJoined(app.db.manager, invitation, person.id));
}

function showOpen(
  request: FastifyRequest,
  reply: FastifyReply,
  tokenHash: Buffer,
  { invitation, isIn, ...answers }: Answers & { invitation: Invitation; isIn: boolean },
): VNode {
  const view: InvitationView = { invitation, frame: layoutProps(request, reply) };
  const { person } = request;
  if (person !== null) {
    return person.id === invitation.account_id ? (
      <JoinPage {...view} isIn={isIn} />
    ) : (
      <OtherPersonPage {...view} person={person} />
    );
  }
  if (invitation.account_id === null) return <NewAccountPage {...view} {...answers} />;
  keepInvitation(request, tokenHash);
  return <SignInFirstPage {...view} signIn={signInAddress(request)} />;
}
