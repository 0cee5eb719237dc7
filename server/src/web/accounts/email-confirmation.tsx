import type { VNode } from "preact";
import {
  confirmEmailChange,
  findEmailChangeLink,
  type EmailChangeLink,
} from "../../domain/accounts/email-changes.js";
import { AppError } from "../../errors.js";
import { t, tRich } from "../../language/translate.js";
import { PostForm } from "../forms/controls.js";
import { toFormErrors } from "../forms/form-errors.js";
import { otherPage } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { BarePage, NextStep } from "../layout/bare-page.js";
import { Facts } from "../layout/facts.js";

/**
 * `/email/confirm/:token`: the link emailed to each address of a new email. Opening it changes
 * nothing. Its button does.
 */
export const confirmEmailForm = formRoute({
  path: "/email/confirm/:token",
  limit: "account-form",
  open: async ({ db, params: { token = "" } }) =>
    (await findEmailChangeLink(db, token)) ?? deadLink(),
  change: (tx, { request, params: { token = "" } }) =>
    confirmEmailChange(tx, { token, origin: request.activityOrigin() }),
  toErrors: (error) =>
    error instanceof AppError && error.code === "expired" ? deadLink() : toFormErrors(error),
  done: (isChanged, { subject }) =>
    otherPage(200, isChanged ? <ChangedPage {...subject} /> : <WaitingPage {...subject} />),
  page: ({ subject }) =>
    isConfirmed(subject) ? <WaitingPage {...subject} /> : <ConfirmPage {...subject} />,
});

function deadLink() {
  return otherPage(410, <DeadLinkPage />);
}

function isConfirmed({ side, old_confirmed_at, new_confirmed_at }: EmailChangeLink): boolean {
  return (side === "old" ? old_confirmed_at : new_confirmed_at) !== null;
}

function ConfirmPage({ side, name, email, new_email: newEmail }: EmailChangeLink): VNode {
  return (
    <BarePage title={side === "old" ? t("Approve your new email") : t("Confirm your new email")}>
      <PostForm>
        <Facts
          facts={[
            [t("Name"), <bdi>{name}</bdi>],
            [t("Current email"), email],
            [t("New email"), newEmail],
          ]}
        />
        <button type="submit">{side === "old" ? t("Approve") : t("Confirm email address")}</button>
      </PostForm>
      <p class="soft">
        {side === "old"
          ? t("Not you? Close this page and change your password: someone else may know it.")
          : t("If you didn't ask for this, close this page.")}
      </p>
    </BarePage>
  );
}

function WaitingPage({ side, email, new_email: newEmail }: EmailChangeLink): VNode {
  return (
    <BarePage title={t("One more step")}>
      <p>
        {tRich("Confirmed. Now open the link in our email to {email}.", {
          email: <strong class="address">{side === "old" ? newEmail : email}</strong>,
        })}
      </p>
    </BarePage>
  );
}

function ChangedPage({ new_email: newEmail }: EmailChangeLink): VNode {
  return (
    <BarePage title={t("Email changed")}>
      <p>
        {tRich("From now on, you sign in with {email}.", {
          email: <strong class="address">{newEmail}</strong>,
        })}
      </p>
      <NextStep href="/">{t("Continue to Fettle")}</NextStep>
    </BarePage>
  );
}

function DeadLinkPage(): VNode {
  return (
    <BarePage title={t("This link no longer works")}>
      <p>
        {t(
          "A link for a new email works for 24 hours, until the email is changed or the change is canceled.",
        )}
      </p>
      <NextStep href="/settings/email">{t("Change email")}</NextStep>
    </BarePage>
  );
}
