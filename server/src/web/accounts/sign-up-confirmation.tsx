import type { FastifyRequest } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import {
  confirmSignUp,
  findSignUp,
  requireSignUpPassword,
  type WaitingSignUp,
} from "../../domain/accounts/sign-ups.js";
import { commit } from "../../domain/history/transactions.js";
import { AppError } from "../../errors.js";
import { PostForm, TextInput } from "../forms/controls.js";
import { textField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { otherPage, seeOther } from "../forms/form-reply.js";
import { toFormErrors } from "../forms/form-errors.js";
import { t, tRich } from "../../language/translate.js";
import { Facts } from "../layout/facts.js";
import { BarePage, NextStep } from "../layout/bare-page.js";
import { startAddress } from "../organizations/start.js";
import { startSession } from "./sessions.js";

/** `/signup/confirm/:token`: the emailed link. Opening it changes nothing. Its button does. */
export const confirmSignUpForm = formRoute({
  path: "/signup/confirm/:token",
  limit: "account-form",
  open: async ({ db, params: { token = "" } }) => {
    const waiting = await findSignUp(db, token);
    if (waiting === undefined) return otherPage(410, <DeadLinkPage />);
    return waiting.is_used ? usedLink(waiting) : waiting;
  },
  fields: { password: textField("Password") },
  inTransaction: false,
  change: async (db, { request, params: { token = "" }, subject, values: { password = "" } }) => {
    const confirmation = { token, origin: request.activityOrigin() };
    if (!isOfThisBrowser(request, subject)) {
      await requireSignUpPassword(db, confirmation, password);
    }
    return commit({ db: request.db, caller: null }, (tx) => confirmSignUp(tx, confirmation));
  },
  toErrors: (error, { subject }) => {
    const code = error instanceof AppError ? error.code : undefined;
    // The link was used in another tab, or an invitation to this address was accepted.
    return code === "expired" || code === "duplicate" ? usedLink(subject) : toFormErrors(error);
  },
  done: async ({ person, organizationId }, { request }) => {
    await startSession(request, person.id);
    request.session.organizationId = organizationId;
    return seeOther(startAddress, t("Your account and organization are ready."));
  },
  page: ({ request, subject }) => (
    <ConfirmPage waiting={subject} needsPassword={!isOfThisBrowser(request, subject)} />
  ),
});

function usedLink({ email }: WaitingSignUp) {
  return otherPage(410, <UsedLinkPage email={email} />);
}

function isOfThisBrowser({ session }: FastifyRequest, { link }: WaitingSignUp): boolean {
  return session.signUp === link;
}

interface ConfirmView {
  waiting: WaitingSignUp;
  needsPassword: boolean;
}

function ConfirmPage({ waiting, needsPassword }: ConfirmView): VNode {
  const { name, email, organization_name: organization } = waiting;
  return (
    <BarePage title={t("Confirm your address")}>
      <PostForm>
        <Facts
          facts={[
            [t("Your name"), <bdi>{name}</bdi>],
            [t("Email"), email],
            [t("Organization"), <bdi>{organization}</bdi>],
          ]}
        />
        {needsPassword && (
          <TextInput
            name="password"
            type="password"
            help={t(
              "The password you chose for this account. We ask because the form was sent from another browser.",
            )}
            autocomplete="current-password"
            required
          />
        )}
        <button type="submit">{t("Confirm and continue")}</button>
      </PostForm>
      <p class="soft">{t("If you didn't ask for this account, close this page.")}</p>
    </BarePage>
  );
}

function DeadLinkPage(): VNode {
  return (
    <BarePage title={t("This link no longer works")}>
      <p>
        {t(
          "A confirmation link works once, for 24 hours. Fill in the form again to get a new one.",
        )}
      </p>
      <NextStep href="/signup">{t("Create an account")}</NextStep>
      <p class="soft">
        {tRich("Have an account? <a>Sign in</a>", {
          a: (words: ComponentChildren) => <a href="/signin">{words}</a>,
        })}
      </p>
    </BarePage>
  );
}

function UsedLinkPage({ email }: { email: string }): VNode {
  return (
    <BarePage title={t("You already have an account")}>
      <p>
        {tRich("{email} already has an account. Sign in with its password.", {
          email: <strong class="address">{email}</strong>,
        })}
      </p>
      <NextStep href="/signin">{t("Sign in")}</NextStep>
    </BarePage>
  );
}
