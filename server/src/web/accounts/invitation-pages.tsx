import type { ComponentChildren, VNode } from "preact";
import type { Invitation } from "../../domain/people/invite-acceptance.js";
import type { InviteStatus } from "../../domain/people/invite-status.js";
import { t, tRich } from "../../language/translate.js";
import { PostForm } from "../forms/controls.js";
import { useLayout } from "../layout/layout-context.js";
import { Moment } from "../layout/moment.js";
import { Facts } from "../layout/facts.js";
import { formatDay } from "../text/format.js";
import { organizationRoleLabels, workspaceRoleLabels } from "../text/value-labels.js";
import { NameField, NewPasswordField } from "./account-form.js";
import { ProviderButton } from "./provider-pages.js";
import { BarePage, NextStep } from "../layout/bare-page.js";

interface InvitationView {
  invitation: Invitation;
}

/** For an address without an account. */
export function NewAccountPage({ invitation }: InvitationView): VNode {
  return (
    <InvitationPage invitation={invitation}>
      <PostForm>
        <h2>{t("Create your account")}</h2>
        <p>
          {tRich("You sign in with {email}", {
            email: <strong class="address">{invitation.email}</strong>,
          })}
        </p>
        <NameField />
        <NewPasswordField />
        <button type="submit">{t("Create account and join")}</button>
      </PostForm>
    </InvitationPage>
  );
}

/** For an address with an account, if no one is signed in. */
export function SignInFirstPage({
  invitation,
  signIn,
}: InvitationView & { signIn: string }): VNode {
  return (
    <InvitationPage invitation={invitation}>
      <p>
        {tRich("{email} already has an account. Sign in with it to come back here.", {
          email: <strong class="address">{invitation.email}</strong>,
        })}
      </p>
      <NextStep href={signIn}>{t("Sign in to join")}</NextStep>
    </InvitationPage>
  );
}

/** For an address that must sign in with the organization's identity provider. */
export function ProviderFirstPage({ invitation }: InvitationView): VNode {
  return (
    <InvitationPage invitation={invitation}>
      <p>
        {tRich(
          "{organizationName} uses its own identity provider. You don't need a password here. Signing in there accepts the invitation.",
          { organizationName: <bdi>{invitation.organization_name}</bdi> },
        )}
      </p>
      <ProviderButton email={invitation.email} next="" />
    </InvitationPage>
  );
}

/** For the invited person, signed in. */
export function JoinPage({ invitation, isIn }: InvitationView & { isIn: boolean }): VNode {
  const { person } = useLayout();
  const { organization_name: organization, email } = invitation;
  if (isIn) {
    return (
      <BarePage title={t("You're already a member")}>
        <p>
          {tRich("You already have everything this invitation to {organization} offers.", {
            organization: <strong dir="auto">{organization}</strong>,
          })}
        </p>
        <PostForm>
          <button type="submit">{t("Go to {organization}", { organization })}</button>
        </PostForm>
      </BarePage>
    );
  }
  return (
    <InvitationPage invitation={invitation}>
      <PostForm>
        <p>
          {tRich("You're signed in as {name}, {email}", {
            name: <strong dir="auto">{person?.name}</strong>,
            email: <span class="address">{email}</span>,
          })}
        </p>
        <button type="submit">{t("Join {organization}", { organization })}</button>
      </PostForm>
    </InvitationPage>
  );
}

/** Shown when someone other than the invitee is signed in. */
export function OtherPersonPage({
  invitation,
  person,
}: InvitationView & { person: { name: string; email: string } }): VNode {
  return (
    <BarePage title={t("This invitation is for someone else")}>
      <PostForm>
        <Facts
          facts={[
            [t("Invited"), invitation.email],
            [
              t("Signed in"),
              <>
                <bdi>{person.name}</bdi>, {person.email}
              </>,
            ],
            [t("Organization"), <bdi>{invitation.organization_name}</bdi>],
          ]}
        />
        <p>
          {tRich(
            "To accept it, sign out first. To join with your current account, ask {inviterName} to invite {email}.",
            { inviterName: <bdi>{invitation.inviter_name}</bdi>, email: person.email },
          )}
        </p>
        <button type="submit" name="decision" value="sign_out">
          {t("Sign out and continue")}
        </button>
      </PostForm>
      <p>
        <a href="/">{t("Stay signed in")}</a>
      </p>
    </BarePage>
  );
}

export function DeadInvitationPage({
  invitation,
  status,
  isIn,
}: InvitationView & { status: InviteStatus; isIn: boolean }): VNode {
  const { title, text } = isIn ? describeJoined(invitation) : describeEnd(invitation, status);
  return (
    <BarePage title={title}>
      {text.map((sentence) => (
        <p key={sentence} dir="auto">
          {sentence}
        </p>
      ))}
      <NextStep href={status === "accepted" || isIn ? "/" : "/signin"}>
        {isIn ? t("Go to Home") : t("Sign in")}
      </NextStep>
    </BarePage>
  );
}

interface Ending {
  title: string;
  text: readonly string[];
}

function describeJoined({ organization_name: organization }: Invitation): Ending {
  return {
    title: t("You're already a member"),
    text: [t("You're already a member of {organization}.", { organization })],
  };
}

function describeEnd(
  { organization_name: organization, inviter_name: inviter }: Invitation,
  status: InviteStatus,
): Ending {
  switch (status) {
    case "accepted":
      return {
        title: t("This invitation was already used"),
        text: [
          t("This invitation to {organization} has already been used. If that was you, sign in.", {
            organization,
          }),
        ],
      };
    case "revoked":
      return {
        title: t("This invitation was withdrawn"),
        text: [
          t(
            "The invitation to {organization} is no longer valid. If you think that's a mistake, ask {inviter} or another admin to invite you again.",
            { organization, inviter },
          ),
        ],
      };
    case "expired":
    case "pending":
      return {
        title: t("This invitation has expired"),
        text: [
          t(
            "The invitation to {organization} was valid for a week. Ask {inviter} to send it again.",
            { organization, inviter },
          ),
        ],
      };
  }
}

export function UnknownInvitationPage(): VNode {
  return (
    <BarePage title={t("Invitation not found")}>
      <p>
        {t(
          "When an invitation is resent, only the link in the newest email works. Find that email and copy the whole link.",
        )}
      </p>
      <p class="soft">
        {t("If you have no newer email, ask the person who invited you to send it again.")}
      </p>
      <NextStep href="/signin">{t("Sign in")}</NextStep>
    </BarePage>
  );
}

/** Shows the inviting person, the organization or workspace, the role and the expiry. */
function InvitationPage({
  invitation,
  children,
}: InvitationView & { children: ComponentChildren }): VNode {
  const {
    organization_name: organization,
    inviter_name: inviter,
    workspace_name: workspace,
    message,
    expires_at: expiresAt,
    access_ends_on: endsOn,
    time_zone: timeZone,
  } = invitation;
  return (
    <BarePage title={t("Join {organization}", { organization })}>
      <p>
        {tRich(
          "{inviter} invited you to Fettle. Teams use Fettle to manage assets and maintenance.",
          { inviter: <strong dir="auto">{inviter}</strong> },
        )}
      </p>
      {message !== null && (
        <blockquote class="personal" dir="auto">
          {message}
        </blockquote>
      )}
      <div class="panel invitation">
        <Facts
          facts={[
            [t("Organization"), <bdi>{organization}</bdi>],
            [t("Role"), organizationRoleLabels[invitation.organization_role]],
            [t("Workspace"), workspace && <bdi>{workspace}</bdi>],
            [
              t("Role in the workspace"),
              invitation.workspace_role && workspaceRoleLabels[invitation.workspace_role],
            ],
            [t("Last day with access"), endsOn === null ? null : formatDay(endsOn)],
            [t("Valid until"), <Moment at={expiresAt} timeZone={timeZone} />],
          ]}
        />
      </div>
      {children}
    </BarePage>
  );
}
