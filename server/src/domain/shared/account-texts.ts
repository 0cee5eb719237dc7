import { t } from "../../language/translate.js";
import { quote } from "./quote.js";

export interface OfField {
  /** The argument or form field at fault; in a text, what its reader calls it. */
  field: string;
}

/** Those of common-texts.ts that are about accounts, signing in, and what apps may do for somebody. */
export const accountTexts = {
  before_today: ({ field, day, today }: OfField & { day: string; today: string }) =>
    t("{field} {day} lies before today, {today}.", { field, day, today }),
  own_access_end: "nobody decides until when they are in. Ask another admin to do it.",
  owner_without_end: ({ name }: OfField & { name: string }) =>
    t(
      "{name} is an owner, and owners are in until another owner removes them. Change the role first.",
      { name: quote(name) },
    ),
  account_exists: ({ email }: { email: string }) =>
    t("There is already an account with the email {email}.", { email }),
  no_such_account: "There is no such account.",
  wrong_password: "The current password is not right.",
  wrong_code:
    "This code is not right, or is not valid any more. Wait for the next one, and check that the clock of your device is right.",
  passkey_refused:
    "The passkey was not accepted. It took too long, was used here already, or does not belong here. Try again.",
  too_many_passkeys: ({ max }: { max: number }) =>
    t(
      "You have {max} passkeys, which is as many as there can be. Remove one that you do not use.",
      { max },
    ),
  no_such_passkey: "There is no such passkey. It may be removed already.",
  no_second_factor:
    "Recovery codes stand in for a second factor, and you have none. Set one up first.",
  no_issuer: ({ field }: OfField) =>
    t(
      "{field} must be an address like https://login.example.com, without what follows a ? or #, and without /.well-known/….",
      { field },
    ),
  own_issuer: ({ field }: OfField) =>
    t("{field} is the address of this server, which is no identity provider.", { field }),
  no_domain: ({ field }: OfField) => t("{field} must be a domain like example.com.", { field }),
  domain_added_already: ({ field, domain }: OfField & { domain: string }) =>
    t("{field}: {domain} is in the list already.", { field, domain }),
  too_many_domains: ({ max }: { max: number }) =>
    t("An organization has at most {max} domains. Remove one that you do not use.", { max }),
  domain_of_other: ({ domain }: { domain: string }) =>
    t("{domain} was verified by another organization on this server, and belongs to one only.", {
      domain,
    }),
  domain_not_verified: ({ domain, name }: { domain: string; name: string }) =>
    t(
      "The text for {domain} was not found at {name}. A new record may take an hour until all name servers know it. Compare it letter by letter, then check again.",
      { domain, name },
    ),
  domain_unreadable: ({ domain }: { domain: string }) =>
    t(
      "The name servers of {domain} did not answer. Nothing was changed. Try again in a few minutes.",
      { domain },
    ),
  no_such_domain: "There is no such domain. It may be removed already.",
  no_such_webhook: "There is no such webhook. It may be deleted already.",
  no_webhook_url: ({ field }: OfField) =>
    t(
      "{field} must be an https address like https://example.com/hooks/fettle, without user and password.",
      { field },
    ),
  webhook_without_events: "Choose at least one event.",
  too_many_webhooks: ({ max }: { max: number }) =>
    t("An organization has at most {max} webhooks. Delete one that you do not use.", { max }),
  no_identity_provider: "Save the address of the identity provider first.",
  only_way_is_on:
    "People sign in only this way at present. Switch that off first, so that nobody is shut out.",
  own_sign_in_first:
    "Sign in this way once yourself first, with your own account: then it is certain that it works.",
  no_verified_domain: "Verify a domain first: the rule is for its people.",
  no_way_back: ({ field }: OfField) =>
    t("{field} must be an owner of the organization.", { field }),
  only_way: "Your organization wants you to sign in with its identity provider.",
  last_second_factor: ({ organization }: { organization: string }) =>
    t(
      "{organization} asks you for a second factor, and this is the last one that you have. Set up another one first.",
      { organization: quote(organization) },
    ),
  second_factor_needed:
    "your organization asks owners and admins for a second factor, and your account has none. Nothing was changed. Set one up under Settings > Sign-in and security, then try again.",
  second_factor_for_destructive:
    "your organization lets apps delete permanently only for people with a second factor, and your account has none. Nothing was changed. Set one up under Settings > Sign-in and security, then try again.",
  confirmed_on_page_only: ({ confirmation_url: url }: { confirmation_url: string }) =>
    t(
      "your organization lets apps delete only what their person has confirmed. Nothing was changed. Show the person this link, and repeat the same call when they have confirmed it there, within five minutes: {url}",
      { url },
    ),
  foreign_request_state:
    "requestState is not that of this call, was used already, or is older than five minutes. Nothing was changed. Send the call without it to ask the person again.",
  declined: "The person declined. Nothing was changed.",
  not_answered:
    "The person did not answer. Nothing was changed. Ask again only if they want you to.",
  wrong_answer: ({ answer }: OfField & { answer: string }) =>
    t("what was typed is not {answer}. Nothing was changed.", { answer: quote(answer) }),
  question_gone:
    "There is no such question to you. It may have been answered, or is older than five minutes. Ask the app to try again.",
  own_second_factor_first:
    "Set up a second factor for your own account first, so that you do not lock yourself out.",
  same_password: "This is the password that you have already.",
  other_password: "This is not the password that was chosen for the account.",
  sign_up_link_expired: "This link was used already, or has expired.",
  reset_link_expired:
    "This link for a new password was used already, has expired, or was replaced by a newer one.",
  no_calendar:
    "There is no calendar at this address. It may have been revoked, or the person may have left.",
  no_set_up_link: "This set-up link is not valid. It works once, until the first account exists.",
  no_such_session: "There is no such session. It may have ended already.",
  no_such_app: (() =>
    t("There is no such connected app. It may be disconnected already.")) as (given: {
    ended: string | undefined;
  }) => string,

  wrong_client_metadata: ({ field, problem }: OfField & { problem: string }) =>
    t("{field} {problem}.", { field, problem }),
};
