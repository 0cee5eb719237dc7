import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Notice, ReportClosed, SecondFactorChange } from "../domain/messaging/mail-cipher.js";
import { outcomeWords } from "../domain/reports/outcome-words.js";
import { withoutLinks } from "../domain/shared/links.js";
import { currentLocale, languageOf } from "../language/locale.js";
import type { PlainText } from "../language/texts.js";
import { t } from "../language/translate.js";
import { nameOf, type MailContent } from "./invitation-mail.js";

/** A mail is paragraphs; a link stands on a line of its own under its words, and what a person wrote is quoted. */
type Paragraph = string | { words: string; href: string } | { written: string };

interface Draft {
  subject: string;
  paragraphs: readonly Paragraph[];
}

/** What a person is told about their own account, as plain text and as simple HTML. */
export function composeNotice(notice: Notice): MailContent {
  const { subject, paragraphs } = draft(notice);
  const text = paragraphs.map((one) => {
    if (typeof one === "string") return one;
    return "written" in one ? one.written.replace(/^/gm, "> ") : `${one.words}\n${one.href}`;
  });
  const html = renderToString(
    <html lang={languageOf(currentLocale())}>
      <body>{paragraphs.map(toHtml)}</body>
    </html>,
  );
  return { subject, text: text.join("\n\n") + "\n", html: ["<!doctype html>", html].join("") };
}

function toHtml(one: Paragraph, index: number): VNode {
  if (typeof one === "string") return <p key={index}>{one}</p>;
  if ("written" in one) {
    return (
      <blockquote key={index} dir="auto">
        {one.written}
      </blockquote>
    );
  }
  return (
    <p key={index}>
      {one.words}
      <br />
      <a href={one.href}>{one.href}</a>
    </p>
  );
}

const ignore: PlainText = "Wasn't you? You can ignore this email.";

function draft(notice: Notice): Draft {
  switch (notice.kind) {
    case "password_reset":
      return {
        subject: t("Your new password for Fettle"),
        paragraphs: [
          t("Someone requested a new password for your Fettle account."),
          { words: t("Choose a new password:"), href: notice.link },
          t("The link works once, for one hour. Don't share it."),
          `${t(ignore)} ${t("Your password stays the same.")}`,
        ],
      };
    case "sign_up":
      return {
        subject: t("Confirm your address for Fettle"),
        paragraphs: [
          t("Someone wants to create a Fettle account with this address."),
          { words: t("If this was you, confirm the address:"), href: notice.link },
          t("The link works once, for 24 hours. Don't share it."),
          `${t(ignore)} ${t("Without the link, no account is created.")}`,
        ],
      };
    case "account_exists":
      return {
        subject: t("You have a Fettle account"),
        paragraphs: [
          t(
            "Someone tried to create a Fettle account with this address, but you already have one. Nothing was changed.",
          ),
          { words: t("Sign in:"), href: notice.signIn },
          {
            words: t("Forgot the password? Request a new one:"),
            href: notice.forgot,
          },
          t("If this wasn't you, no action is needed."),
        ],
      };
    case "connection_ended":
      return draftEndOfConnection(notice);
    case "only_way_ended":
      return draftEndOfOnlyWay(notice);
    case "report_closed":
      return draftClosedReport(notice);
    case "second_factor_guessed":
      return draftGuesses(notice.security);
    case "second_factor_changed": {
      const [subject, what] = describeChange(notice.change, nameOf(notice.name ?? ""));
      return {
        subject,
        paragraphs: [
          what,
          t(
            "If this was you, no action is needed. If not, change your password now, and check your second factors and sessions.",
          ),
          { words: t("Sign-in and security:"), href: notice.security },
        ],
      };
    }
  }
}

function draftEndOfConnection(notice: Extract<Notice, { kind: "connection_ended" }>): Draft {
  return {
    subject: t("An app was disconnected from Fettle"),
    paragraphs: [
      t(
        "The app {app} was connected to {organization} on your behalf. We disconnected it because a key that had already been used was used again, so it may have been copied.",
        { app: nameOf(notice.app), organization: nameOf(notice.organization) },
      ),
      t(
        "If you still trust the app, reconnect it from the app. If you don't recognize it, leave it disconnected and check what it did.",
      ),
      { words: t("Your connected apps:"), href: notice.apps },
    ],
  };
}

function draftEndOfOnlyWay(notice: Extract<Notice, { kind: "only_way_ended" }>): Draft {
  return {
    subject: t("Passwords and passkeys work again on Fettle"),
    paragraphs: [
      t(
        "{who} turned off the rule that people in {organization} must sign in with its identity provider. Passwords and passkeys work again.",
        { who: nameOf(notice.by), organization: nameOf(notice.organization) },
      ),
      t(
        "You get this email because you're an owner. If this shouldn't have happened, turn the rule on again.",
      ),
      { words: t("Sign-in with your identity provider:"), href: notice.settings },
    ],
  };
}

function draftClosedReport({ asset, organization, outcome, answer, link }: ReportClosed): Draft {
  return {
    subject: t("Update on your report: {asset}", { asset: nameOf(asset) }),
    paragraphs: [
      `${t("You reported a problem with {asset} to {organization}.", {
        asset: nameOf(asset),
        organization: nameOf(organization),
      })} ${outcomeWords[outcome]}`,
      ...(answer === null ? [] : [{ written: withoutLinks(answer) }]),
      { words: t("Your report:"), href: link },
      t("You get this email because this address was given with the report."),
    ],
  };
}

function draftGuesses(security: string): Draft {
  return {
    subject: t("Wrong codes were entered for your Fettle account"),
    paragraphs: [
      t(
        "Someone passed the first step of signing in to your account (your password or your organization's sign-in) and then entered several wrong codes for your second factor. They aren't signed in.",
      ),
      t(
        "If this was you, no action is needed. If not, someone knows your password: change it now.",
      ),
      { words: t("Sign-in and security:"), href: security },
    ],
  };
}

/** Subject and first sentence. */
function describeChange(change: SecondFactorChange, name: string): [string, string] {
  const texts: Record<SecondFactorChange, [string, string]> = {
    authenticator_added: [
      t("An authenticator app was set up for Fettle"),
      t(
        "An authenticator app was set up for your Fettle account. You'll be asked for a code after your password.",
      ),
    ],
    authenticator_removed: [
      t("The authenticator app was removed from Fettle"),
      t("The authenticator app was removed from your Fettle account. Its codes no longer work."),
    ],
    passkey_added: [
      t("A passkey was added to Fettle"),
      t(
        "The passkey {name} was added to your Fettle account. You can sign in with it without a password.",
        { name },
      ),
    ],
    passkey_removed: [
      t("A passkey was removed from Fettle"),
      t("The passkey {name} was removed from your Fettle account.", { name }),
    ],
    passkey_copied: [
      t("A passkey for Fettle may have been copied"),
      t(
        "The passkey {name} was rejected because it may have been copied: its use counter went backwards. Remove it and add a new one.",
        { name },
      ),
    ],
    recovery_codes_made: [
      t("New recovery codes for Fettle"),
      t("New recovery codes were generated for your Fettle account. The old codes no longer work."),
    ],
    recovery_code_used: [
      t("A recovery code for Fettle was used"),
      t(
        "Someone signed in to your Fettle account with a recovery code instead of a second factor.",
      ),
    ],
    second_factors_reset: [
      t("Your second factors for Fettle were removed"),
      t(
        "The server's administrator removed all passkeys, the authenticator app and the recovery codes from your Fettle account. Until you set up a second factor again, your password alone signs you in.",
      ),
    ],
  };
  return texts[change];
}
