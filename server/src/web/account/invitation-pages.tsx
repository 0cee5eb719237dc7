import type { ComponentChildren, VNode } from "preact";
import type { Invitation } from "../../domain/invites/invite-acceptance.js";
import type { InviteStatus } from "../../domain/sql/invite-status.js";
import { PostForm } from "../forms/controls.js";
import { Page, type Message } from "../layout/layout.js";
import { Moment } from "../layout/moment.js";
import { Facts } from "../layout/page-parts.js";
import type { FormError } from "../layout/parts.js";
import type { LayoutProps } from "../layout/reply.js";
import { organizationRoleLabels, workspaceRoleLabels } from "../text/value-labels.js";
import { NameField, NewPasswordField } from "./account-form.js";

export interface InvitationView {
  invitation: Invitation;
  frame: LayoutProps;
}

/** For an address that has no account yet. */
export function NewAccountPage(
  props: InvitationView & { values?: { name: string }; errors?: readonly FormError[] },
): VNode {
  const { invitation, frame, values = { name: "" }, errors = [] } = props;
  return (
    <InvitationPage frame={frame} invitation={invitation}>
      <PostForm frame={frame} errors={errors}>
        <h2>Create your account</h2>
        <p>
          You sign in with <strong class="address">{invitation.email}</strong>
        </p>
        <NameField values={values} errors={errors} />
        <NewPasswordField errors={errors} />
        <button type="submit">Create account and join</button>
      </PostForm>
    </InvitationPage>
  );
}

/** For an address that has an account, and nobody signed in. */
export function SignInFirstPage({
  invitation,
  frame,
  signIn,
}: InvitationView & { signIn: string }): VNode {
  return (
    <InvitationPage frame={frame} invitation={invitation}>
      <p>
        There is an account for <strong class="address">{invitation.email}</strong>. Sign in with
        it, then you come back here.
      </p>
      <p>
        <a class="button" href={signIn}>
          Sign in to join
        </a>
      </p>
    </InvitationPage>
  );
}

/** For the invited person, signed in. */
export function JoinPage({ invitation, frame, isIn }: InvitationView & { isIn: boolean }): VNode {
  const { organization_name: organization, email } = invitation;
  if (isIn) {
    return (
      <Page title="You are a member already" width="narrow" bare message={frame.message}>
        <h1>You are a member already</h1>
        <p>
          You have all that this invitation to <strong>{organization}</strong> offers, so there is
          nothing left to accept.
        </p>
        <PostForm frame={frame}>
          <button type="submit">{`Go to ${organization}`}</button>
        </PostForm>
      </Page>
    );
  }
  return (
    <InvitationPage frame={frame} invitation={invitation}>
      <PostForm frame={frame}>
        <p>
          You are signed in as <strong>{frame.person?.name}</strong>,{" "}
          <span class="address">{email}</span>
        </p>
        <button type="submit">{`Join ${organization}`}</button>
      </PostForm>
    </InvitationPage>
  );
}

/** For somebody else than the invited person. */
export function OtherPersonPage({
  invitation,
  frame,
  person,
}: InvitationView & { person: { name: string; email: string } }): VNode {
  return (
    <Page title="This invitation is for somebody else" width="narrow" bare message={frame.message}>
      <h1>This invitation is for somebody else</h1>
      <PostForm frame={frame}>
        <Facts
          facts={[
            ["Invited", invitation.email],
            ["Signed in", `${person.name}, ${person.email}`],
            ["Organization", invitation.organization_name],
          ]}
        />
        <p>
          To accept it, sign out first. If you want to join with your present account, ask{" "}
          {invitation.inviter_name} to invite {person.email}.
        </p>
        <button type="submit" name="decision" value="sign_out">
          Sign out and go on
        </button>
      </PostForm>
      <p>
        <a href="/">Stay signed in</a>
      </p>
    </Page>
  );
}

/** What to do when an invitation cannot be accepted any more. */
export function DeadInvitationPage({
  invitation,
  status,
  isIn,
  message,
}: {
  invitation: Invitation;
  status: InviteStatus;
  isIn: boolean;
  message: Message | undefined;
}): VNode {
  const { title, text } = isIn ? describeJoined(invitation) : describeEnd(invitation, status);
  return (
    <Page title={title} width="narrow" bare message={message}>
      <h1>{title}</h1>
      {text.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>
        <a class="button" href={status === "accepted" || isIn ? "/" : "/signin"}>
          {isIn ? "Go to the start page" : "Sign in"}
        </a>
      </p>
    </Page>
  );
}

interface Ending {
  title: string;
  text: readonly string[];
}

function describeJoined({ organization_name: organization }: Invitation): Ending {
  return {
    title: "You are a member already",
    text: [`You belong to ${organization}. There is nothing left to accept.`],
  };
}

function describeEnd(
  { organization_name: organization, inviter_name: inviter }: Invitation,
  status: InviteStatus,
): Ending {
  switch (status) {
    case "accepted":
      return {
        title: "This invitation was used already",
        text: [
          `An invitation works once, and this one to ${organization} was accepted. If that was you, sign in.`,
        ],
      };
    case "revoked":
      return {
        title: "This invitation was withdrawn",
        text: [
          `The invitation to ${organization} can no longer be accepted. If you think that is a mistake, ask ${inviter}, or another admin there, to invite you again.`,
        ],
      };
    case "expired":
    case "pending":
      return {
        title: "This invitation has expired",
        text: [
          `The invitation to ${organization} was valid for a week. Ask ${inviter} to send it again: the new mail has a new link.`,
        ],
      };
  }
}

/** For a link that leads to no invitation. */
export function UnknownInvitationPage(): VNode {
  return (
    <Page title="There is no such invitation" width="narrow" bare>
      <h1>There is no such invitation</h1>
      <p>
        When an invitation is sent again, only the link in the newest mail works. Look for that
        mail, and see that the whole link was copied.
      </p>
      <p class="soft">
        If there is no newer mail, ask the person who invited you to send it again.
      </p>
      <p>
        <a class="button" href="/signin">
          Sign in
        </a>
      </p>
    </Page>
  );
}

/** Who invites, to what, as what, and until when. */
function InvitationPage({
  invitation,
  frame,
  children,
}: InvitationView & { children: ComponentChildren }): VNode {
  const {
    organization_name: organization,
    inviter_name: inviter,
    workspace_name: workspace,
    message,
    expires_at: expiresAt,
    time_zone: timeZone,
  } = invitation;
  return (
    <Page title={`Join ${organization}`} width="narrow" bare message={frame.message}>
      <h1>{`Join ${organization}`}</h1>
      <p>
        <strong>{inviter}</strong> invites you to Fettle, where people look after assets and their
        maintenance together.
      </p>
      {message !== null && <blockquote class="personal">{message}</blockquote>}
      <div class="panel invitation">
        <Facts
          facts={[
            ["Organization", organization],
            ["Role", organizationRoleLabels[invitation.organization_role]],
            ["Workspace", workspace],
            [
              "Role there",
              invitation.workspace_role && workspaceRoleLabels[invitation.workspace_role],
            ],
            ["Valid until", <Moment at={expiresAt} timeZone={timeZone} />],
          ]}
        />
      </div>
      {children}
    </Page>
  );
}
