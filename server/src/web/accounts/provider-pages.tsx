import type { VNode } from "preact";
import type { ProviderFailure } from "../../domain/accounts/provider-client.js";
import type { ProviderRefusal } from "../../domain/accounts/provider-sign-ins.js";
import { t, tRich } from "../../language/translate.js";
import { PostForm, TextInput } from "../forms/controls.js";
import { otherPage, type FormReply } from "../forms/form-reply.js";
import { BarePage, NextStep } from "../layout/bare-page.js";
import { describeProviderFailure } from "../text/provider-failures.js";
import { providerAddress, withNext } from "./sign-in-addresses.js";

/** Replaces every other sign-in if the organization requires its identity provider. */
export function leadToProvider(email: string, next: string): FormReply {
  return otherPage(403, <SsoRequiredPage email={email.trim()} next={next} />);
}

/** Depends only on the domain, so it doesn't reveal accounts. */
function SsoRequiredPage({ email, next }: { email: string; next: string }): VNode {
  return (
    <BarePage title={t("Sign in with your organization")}>
      <p>
        {tRich(
          "{email} has to sign in with their organization's identity provider. Passwords and passkeys don't work for this account.",
          { email: <strong class="address">{email}</strong> },
        )}
      </p>
      <ProviderButton email={email} next={next} />
      <p class="soft">
        {t(
          "If your account is exempt from single sign-on, check your password: a wrong one also leads here. If you asked for a new password, a link is on its way.",
        )}
      </p>
      <BackToSignIn next={next} />
    </BarePage>
  );
}

export function ProviderButton({ email, next }: { email: string; next: string }): VNode {
  return (
    <PostForm action={providerAddress}>
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="next" value={next} />
      <button type="submit">{t("Sign in with your organization")}</button>
    </PostForm>
  );
}

/** Asks for the email address. Its domain identifies the organization. */
export function ProviderSignInPage({ next }: { next: string }): VNode {
  return (
    <BarePage title={t("Sign in with your organization")}>
      <p>{t("For people whose organization has set up single sign-on.")}</p>
      <PostForm action={providerAddress}>
        <input type="hidden" name="next" value={next} />
        <TextInput name="email" type="email" autocomplete="username" required />
        <button type="submit">{t("Continue")}</button>
      </PostForm>
      <BackToSignIn next={next} />
    </BarePage>
  );
}

/** For a response that this browser didn't request, or a late or repeated one. */
export function LostSignInPage(): VNode {
  return (
    <BarePage title={t("Start signing in again")}>
      <p>
        {t(
          "This sign-in response doesn't match an open sign-in in this browser. It may have taken over ten minutes, been used before, or started in another browser. No one was signed in.",
        )}
      </p>
      <NextStep href={providerAddress}>{t("Start over")}</NextStep>
    </BarePage>
  );
}

export function FailedProviderPage({ failure }: { failure: ProviderFailure }): VNode {
  const { what, todo } = describeProviderFailure(failure);
  return (
    <BarePage title={t("Your organization couldn't sign you in")}>
      <p>
        {what} {t("No one was signed in.")}
      </p>
      <p>{todo}</p>
      <NextStep href={providerAddress}>{t("Try again")}</NextStep>
      <BackToSignIn next="" />
    </BarePage>
  );
}

const refusals: Record<ProviderRefusal, (organization: string) => string> = {
  no_address: () =>
    t(
      "The identity provider didn't send your email address. An organization owner can have it send the claim “email”.",
    ),
  not_verified: () =>
    t(
      "The identity provider hasn't verified your email address. Verify it there, or ask an organization owner to check the settings.",
    ),
  other_domain: (organization) =>
    t(
      "{organization} hasn't verified the domain of your email address. Sign in with an address of the organization, or ask one of its owners.",
      { organization },
    ),
  other_subject: (organization) =>
    t(
      "This address belongs to an account with another identity at the provider. Ask an owner of {organization} to unlink it under Settings > Members.",
      { organization },
    ),
  not_invited: (organization) =>
    t(
      "You're not a member of {organization}. Ask one of its admins for an invitation. If you have an invitation and an account, sign in as usual and open the invitation link.",
      { organization },
    ),
};

/** For a person who is refused although the provider signed them in. */
export function RefusedPersonPage(props: { why: ProviderRefusal; organization: string }): VNode {
  return (
    <BarePage title={t("You weren't signed in")}>
      <p dir="auto">{refusals[props.why](props.organization)}</p>
      <BackToSignIn next="" />
    </BarePage>
  );
}

export function OtherPersonSignedInPage({ email }: { email: string }): VNode {
  return (
    <BarePage title={t("Someone else is signed in")}>
      <p>
        {tRich(
          "The identity provider signed in someone other than {email}, who is signed in here. Nothing was changed. To continue as the other person, sign out first.",
          { email: <strong class="address">{email}</strong> },
        )}
      </p>
      <NextStep href="/">{t("Continue as {email}", { email })}</NextStep>
    </BarePage>
  );
}

function BackToSignIn({ next }: { next: string }): VNode {
  return (
    <p class="soft">
      <a href={withNext("/signin", next)}>{t("Back to sign-in")}</a>
    </p>
  );
}
