import type { VNode } from "preact";
import type { ProviderFailure } from "../../domain/accounts/provider-client.js";
import type { ProviderRefusal } from "../../domain/accounts/provider-sign-ins.js";
import { t, tRich } from "../../language/translate.js";
import { PostForm, TextInput } from "../forms/controls.js";
import { otherPage, type FormReply } from "../forms/form-reply.js";
import { BarePage, NextStep } from "../layout/bare-page.js";
import { describeProviderFailure } from "../text/provider-failures.js";
import { providerAddress, withNext } from "./sign-in-addresses.js";

/** In place of any other way in, where the organization wants people to come by its provider. */
export function leadToProvider(email: string, next: string): FormReply {
  return otherPage(403, <OnlyWayPage email={email.trim()} next={next} />);
}

/** Says the same of every address of a domain, whether or not it is anybody's. */
function OnlyWayPage({ email, next }: { email: string; next: string }): VNode {
  return (
    <BarePage title={t("Sign in with your organization")}>
      <p>
        {tRich(
          "The organization of {email} wants its people to sign in with its identity provider. Passwords, links for new ones and passkeys do not work for them.",
          { email: <strong class="address">{email}</strong> },
        )}
      </p>
      <ProviderButton email={email} next={next} />
      <p class="soft">
        {t(
          "Accounts that the organization has left out sign in as before: a wrong password leads here as well, and a link for a new one is on its way if you asked for it.",
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

/** Asks for the address, whose domain says which organization it is. */
export function ProviderSignInPage({ next }: { next: string }): VNode {
  return (
    <BarePage title={t("Sign in with your organization")}>
      <p>
        {t("For people whose organization has set up its own sign-in here. It takes you there.")}
      </p>
      <PostForm action={providerAddress}>
        <input type="hidden" name="next" value={next} />
        <TextInput name="email" type="email" autocomplete="username" required />
        <button type="submit">{t("Continue")}</button>
      </PostForm>
      <BackToSignIn next={next} />
    </BarePage>
  );
}

/** For an answer that this browser did not ask for, or that comes too late or again. */
export function LostSignInPage(): VNode {
  return (
    <BarePage title={t("Start the sign-in again")}>
      <p>
        {t(
          "This answer of an identity provider does not belong to a sign-in that is open in this browser. It may have taken longer than ten minutes, have been used already, or have been started in another browser. Nobody was signed in.",
        )}
      </p>
      <NextStep href={providerAddress}>{t("Start again")}</NextStep>
    </BarePage>
  );
}

/** When the provider did not do its part. */
export function FailedProviderPage({ failure }: { failure: ProviderFailure }): VNode {
  const { what, todo } = describeProviderFailure(failure);
  return (
    <BarePage title={t("Your organization could not sign you in")}>
      <p>
        {what} {t("Nobody was signed in.")}
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
      "The identity provider did not say which email address is yours. An owner of the organization can let it pass on the address (the claim “email”).",
    ),
  not_verified: () =>
    t(
      "The identity provider does not say that it has verified your email address. Verify it there, or ask an owner of the organization to look at the settings.",
    ),
  other_domain: (organization) =>
    t(
      "Your email address is of a domain that {organization} has not verified here. Sign in with an address of the organization, or ask one of its owners.",
      { organization },
    ),
  other_subject: (organization) =>
    t(
      "Your address belongs to an account that signs in with another identity at the provider. Ask an owner of {organization} to release it under Settings > Members.",
      { organization },
    ),
  not_invited: (organization) =>
    t(
      "You are not a member of {organization} here. Ask one of its admins for an invitation. If you have one and an account here already, sign in as you always did and open the link of the invitation.",
      { organization },
    ),
};

/** When the provider did, and the person is not let in even so. */
export function RefusedPersonPage(props: { why: ProviderRefusal; organization: string }): VNode {
  return (
    <BarePage title={t("You were not signed in")}>
      <p dir="auto">{refusals[props.why](props.organization)}</p>
      <BackToSignIn next="" />
    </BarePage>
  );
}

/** When somebody else is signed in in this browser. */
export function OtherPersonSignedInPage({ email }: { email: string }): VNode {
  return (
    <BarePage title={t("Somebody else is signed in")}>
      <p>
        {tRich(
          "The identity provider signed in another person than {email}, who is signed in here. Nothing was changed. Sign out first to go on as the other one.",
          { email: <strong class="address">{email}</strong> },
        )}
      </p>
      <NextStep href="/">{t("Go on as {email}", { email })}</NextStep>
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
