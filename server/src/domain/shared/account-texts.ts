import { t } from "../../language/translate.js";
import { quote } from "./quote.js";

export interface OfField {
  /** The invalid argument or form field. In texts, the reader's name for it. */
  field: string;
}

/** The texts of `common-texts.ts` about accounts, sign-in and permissions of apps. */
export const accountTexts = {
  before_today: ({ field, day, today }: OfField & { day: string; today: string }) =>
    t("{field} {day} is before today, {today}.", { field, day, today }),
  absent_already: ({ day, otherDay }: OfField & { day: string; otherDay: string }) =>
    day === otherDay
      ? t("this overlaps the absence on {day}.", { day })
      : t("this overlaps the absence from {day} to {otherDay}.", { day, otherDay }),
  own_access_end: "you can't change your own last day. Ask another admin.",
  owner_without_end: ({ name }: OfField & { name: string }) =>
    t("{name} is an owner, and owners can't have a last day. Change the role first.", {
      name: quote(name),
    }),
  account_exists: ({ email }: { email: string }) =>
    t("There is already an account with the email {email}.", { email }),
  same_email: "This is already your email.",
  email_of_provider:
    "You sign in with your organization, so your email is changed there. Ask an admin.",
  email_link_expired: "This link for a new email no longer works.",
  too_many_notices: ({ email }: { email: string }) =>
    t("We sent {email} several emails in the last hour. Try again later.", { email }),
  no_such_account: "Account not found.",
  wrong_password: "The current password is wrong.",
  wrong_code:
    "This code is wrong or has expired. Wait for the next one, and check your device's clock.",
  passkey_refused:
    "The passkey wasn't accepted. It took too long, was already used, or doesn't belong here. Try again.",
  too_many_passkeys: ({ max }: { max: number }) =>
    t("You have {max} passkeys, the maximum. Remove one you don't use.", { max }),
  no_such_passkey: "We can't find that passkey. It may already have been removed.",
  no_second_factor:
    "Recovery codes replace a second factor, and you have none. Set up a second factor first.",
  no_issuer: ({ field }: OfField) =>
    t(
      "{field} must be an address like https://login.example.com, without ? or #, and without /.well-known/….",
      { field },
    ),
  own_issuer: ({ field }: OfField) =>
    t("{field} is the address of this server, which isn't an identity provider.", { field }),
  no_domain: ({ field }: OfField) => t("{field} must be a domain like example.com.", { field }),
  domain_added_already: ({ field, domain }: OfField & { domain: string }) =>
    t("{field}: {domain} is already in the list.", { field, domain }),
  too_many_domains: ({ max }: { max: number }) =>
    t("An organization can have at most {max} domains. Remove one you don't use.", { max }),
  domain_of_other: ({ domain }: { domain: string }) =>
    t("{domain} is already verified by another organization on this server.", {
      domain,
    }),
  domain_not_verified: ({ domain, name }: { domain: string; name: string }) =>
    t(
      "No record for {domain} found at {name} with this text. New records can take an hour to appear. Compare it letter by letter, then check again.",
      { domain, name },
    ),
  domain_unreadable: ({ domain }: { domain: string }) =>
    t(
      "The name servers of {domain} didn't respond. Nothing was changed. Try again in a few minutes.",
      { domain },
    ),
  no_such_domain: "We can't find that domain. It may already have been removed.",
  no_such_webhook: "We can't find that webhook. It may already have been deleted.",
  no_webhook_url: ({ field }: OfField) =>
    t(
      "{field} must be an https address like https://example.com/hooks/fettle, without user and password.",
      { field },
    ),
  webhook_without_events: "Choose at least one event.",
  too_many_webhooks: ({ max }: { max: number }) =>
    t("An organization can have at most {max} webhooks. Delete one you don't use.", { max }),
  no_identity_provider: "Save the address of the identity provider first.",
  sso_is_required:
    "Single sign-on is required at the moment. Turn that rule off first, so that no one is locked out.",
  own_sign_in_first: "Sign in once with the provider yourself, to check that it works.",
  no_verified_domain:
    "Verify a domain first. Only people with an email in a verified domain have to use single sign-on.",
  no_break_glass_owner: ({ field }: OfField) =>
    t("{field} must be an owner of the organization.", { field }),
  sso_required: "Sign in with your organization's identity provider.",
  last_second_factor: ({ organization }: { organization: string }) =>
    t(
      "{organization} requires a second factor, and this is your last one. Set up another one first.",
      { organization: quote(organization) },
    ),
  second_factor_needed:
    "your organization requires a second factor for owners and admins, and your account has none. Nothing was changed. Set one up under Settings > Sign-in and security, then try again.",
  second_factor_for_destructive:
    "letting an app delete permanently requires a second factor, and your account has none. Nothing was changed. Set one up under Settings > Sign-in and security, then try again.",
  confirmed_on_page_only: ({ confirmation_url: url }: { confirmation_url: string }) =>
    t(
      "your organization requires people to confirm deletions by apps. Nothing was changed. Show the person this link, then repeat the same call within five minutes of their confirmation: {url}",
      { url },
    ),
  foreign_request_state:
    "requestState doesn't belong to this call, was already used, or is older than five minutes. Nothing was changed. Send the call without it to ask the person again.",
  declined: "The person declined. Nothing was changed.",
  not_answered:
    "The person didn't answer. Nothing was changed. Ask again only if they want you to.",
  wrong_answer: ({ answer }: OfField & { answer: string }) =>
    t("the typed text isn't {answer}. Nothing was changed.", { answer: quote(answer) }),
  question_gone:
    "This question has been answered or is older than five minutes. Ask the app to try again.",
  own_second_factor_first:
    "Set up a second factor for your own account first, so that you don't lock yourself out.",
  same_password: "This is already your password.",
  other_password: "This isn't the password you chose when you signed up.",
  sign_up_link_expired: "This link was already used or has expired.",
  reset_link_expired:
    "This password link was already used, has expired, or was replaced by a newer one.",
  no_calendar:
    "There's no calendar at this address. It may have been revoked, or the person may have left.",
  no_set_up_link: "This setup link isn't valid. It works once, until the first account exists.",
  no_such_session: "We can't find that session. It may have already ended.",
  no_such_app: (() =>
    t("We can't find that app. It may already have been disconnected.")) as (given: {
    ended: string | undefined;
  }) => string,

  wrong_client_metadata: ({ field, problem }: OfField & { problem: string }) =>
    t("{field} {problem}.", { field, problem }),
};
