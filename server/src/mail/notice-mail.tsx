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

const ignore: PlainText = "If that was not you, ignore this message and nothing happens.";

function draft(notice: Notice): Draft {
  switch (notice.kind) {
    case "password_reset":
      return {
        subject: t("A new password for Fettle"),
        paragraphs: [
          t("Somebody asked for a new password for your account on Fettle."),
          { words: t("Choose a new password:"), href: notice.link },
          t("The link works once, within one hour. It is meant for you only: do not pass it on."),
          `${t(ignore)} ${t("Your password stays as it is.")}`,
        ],
      };
    case "sign_up":
      return {
        subject: t("Confirm your address for Fettle"),
        paragraphs: [
          t("Somebody wants to create an account on Fettle with this address."),
          { words: t("If it was you, confirm the address:"), href: notice.link },
          t("The link works once, within 24 hours. It is meant for you only: do not pass it on."),
          `${t(ignore)} ${t("Without the link there is no account.")}`,
        ],
      };
    case "account_exists":
      return {
        subject: t("You have an account on Fettle"),
        paragraphs: [
          t(
            "Somebody wanted to create an account on Fettle with this address, but you have one already. Nothing was changed.",
          ),
          { words: t("Sign in:"), href: notice.signIn },
          {
            words: t("If you do not remember the password, ask for a new one:"),
            href: notice.forgot,
          },
          t("If that was not you, you need not do anything."),
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
            "If that was you, you need not do anything. If not, change your password at once, and look at your second factors and sessions.",
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
        "The app {app} was connected to {organization} in your name. We have ended this connection, because a key that the app had used already was used again: it may have been copied.",
        { app: nameOf(notice.app), organization: nameOf(notice.organization) },
      ),
      t(
        "If you still trust the app, connect it again from the app itself. If you do not know it, leave it disconnected, and look at what it has done.",
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
        "{who} has ended the rule that people of {organization} sign in with its identity provider alone. They can use their passwords and passkeys again.",
        { who: nameOf(notice.by), organization: nameOf(notice.organization) },
      ),
      t(
        "You get this message because you are an owner. If this should not have happened, switch the rule on again.",
      ),
      { words: t("Sign-in with your identity provider:"), href: notice.settings },
    ],
  };
}

function draftClosedReport({ asset, organization, outcome, answer, link }: ReportClosed): Draft {
  return {
    subject: t("What became of the problem with {asset}", { asset: nameOf(asset) }),
    paragraphs: [
      `${t("You reported a problem with {asset} to {organization}.", {
        asset: nameOf(asset),
        organization: nameOf(organization),
      })} ${outcomeWords[outcome]}`,
      ...(answer === null ? [] : [{ written: withoutLinks(answer) }]),
      { words: t("Your report:"), href: link },
      t("You get this message because this address was given with the report."),
    ],
  };
}

function draftGuesses(security: string): Draft {
  return {
    subject: t("Wrong codes were entered for your account on Fettle"),
    paragraphs: [
      t(
        "Somebody got past the first step of signing in to your account, which is your password or your organization's sign-in, and then entered several wrong codes in place of your second factor. They are not signed in.",
      ),
      t(
        "If that was you, you need not do anything. If not, somebody knows your password: change it at once.",
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
        "An authenticator app was set up for your account on Fettle. Its codes are asked for after your password.",
      ),
    ],
    authenticator_removed: [
      t("The authenticator app was removed from Fettle"),
      t(
        "The authenticator app was removed for your account on Fettle. Its codes do not count any more.",
      ),
    ],
    passkey_added: [
      t("A passkey was added to Fettle"),
      t(
        "The passkey {name} was added for your account on Fettle. It signs in without a password.",
        { name },
      ),
    ],
    passkey_removed: [
      t("A passkey was removed from Fettle"),
      t("The passkey {name} was removed for your account on Fettle.", { name }),
    ],
    passkey_copied: [
      t("A passkey for Fettle may have been copied"),
      t(
        "The passkey {name} was refused: it counted fewer uses than it had before, as a copy of it would. Remove it, and add a new one.",
        { name },
      ),
    ],
    recovery_codes_made: [
      t("New recovery codes for Fettle"),
      t(
        "New recovery codes were made for your account on Fettle. Those before do not count any more.",
      ),
    ],
    recovery_code_used: [
      t("A recovery code for Fettle was used"),
      t("A recovery code was used for your account on Fettle in place of a second factor."),
    ],
    second_factors_reset: [
      t("Your second factors for Fettle were removed"),
      t(
        "The person who runs the server has removed all passkeys, the authenticator app and the recovery codes for your account on Fettle. Your password alone signs you in until you set up a second factor again.",
      ),
    ],
  };
  return texts[change];
}
