import { renderToString } from "preact-render-to-string";
import type { Notice, ReportClosed, SecondFactorChange } from "../domain/mail/mail-cipher.js";
import { outcomeWords } from "../domain/reports/outcome-words.js";
import { nameOf, type MailContent } from "./invitation-mail.js";

/** A mail is paragraphs; a link stands on a line of its own under its words. */
type Paragraph = string | { words: string; href: string };

interface Draft {
  subject: string;
  paragraphs: readonly Paragraph[];
}

/** What a person is told about their own account, as plain text and as simple HTML. */
export function composeNotice(notice: Notice): MailContent {
  const { subject, paragraphs } = draft(notice);
  const text = paragraphs.map((one) =>
    typeof one === "string" ? one : `${one.words}\n${one.href}`,
  );
  const html = renderToString(
    <html lang="en">
      <body>
        {paragraphs.map((one) =>
          typeof one === "string" ? (
            <p key={one}>{one}</p>
          ) : (
            <p key={one.href}>
              {one.words}
              <br />
              <a href={one.href}>{one.href}</a>
            </p>
          ),
        )}
      </body>
    </html>,
  );
  return { subject, text: text.join("\n\n") + "\n", html: `<!doctype html>${html}` };
}

const ignore = "If that was not you, ignore this message and nothing happens.";

function draft(notice: Notice): Draft {
  switch (notice.kind) {
    case "password_reset":
      return {
        subject: "A new password for Fettle",
        paragraphs: [
          "Somebody asked for a new password for your account on Fettle.",
          { words: "Choose a new password:", href: notice.link },
          "The link works once, within one hour. It is meant for you only: do not pass it on.",
          `${ignore} Your password stays as it is.`,
        ],
      };
    case "sign_up":
      return {
        subject: "Confirm your address for Fettle",
        paragraphs: [
          "Somebody wants to create an account on Fettle with this address.",
          { words: "If it was you, confirm the address:", href: notice.link },
          "The link works once, within 24 hours. It is meant for you only: do not pass it on.",
          `${ignore} Without the link there is no account.`,
        ],
      };
    case "account_exists":
      return {
        subject: "You have an account on Fettle",
        paragraphs: [
          "Somebody wanted to create an account on Fettle with this address, but you have one already. Nothing was changed.",
          { words: "Sign in:", href: notice.signIn },
          { words: "If you do not remember the password, ask for a new one:", href: notice.forgot },
          "If that was not you, you need not do anything.",
        ],
      };
    case "connection_ended":
      return {
        subject: "An app was disconnected from Fettle",
        paragraphs: [
          `The app ${nameOf(notice.app)} was connected to ${nameOf(notice.organization)} in your name. We have ended this connection, because a key that the app had used already was used again: it may have been copied.`,
          "If you still trust the app, connect it again from the app itself. If you do not know it, leave it disconnected, and look at what it has done.",
          { words: "Your connected apps:", href: notice.apps },
        ],
      };
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
          "If that was you, you need not do anything. If not, change your password at once, and look at your second factors and sessions.",
          { words: "Sign-in and security:", href: notice.security },
        ],
      };
    }
  }
}

function draftEndOfOnlyWay(notice: Extract<Notice, { kind: "only_way_ended" }>): Draft {
  return {
    subject: "Passwords and passkeys work again on Fettle",
    paragraphs: [
      `${nameOf(notice.by)} has ended the rule that people of ${nameOf(notice.organization)} sign in with its identity provider alone. They can use their passwords and passkeys again.`,
      "You get this message because you are an owner. If this should not have happened, switch the rule on again.",
      { words: "Sign-in with your identity provider:", href: notice.settings },
    ],
  };
}

function draftClosedReport({ asset, organization, outcome, answer, link }: ReportClosed): Draft {
  return {
    subject: `What became of the problem with ${nameOf(asset)}`,
    paragraphs: [
      `You reported a problem with ${nameOf(asset)} to ${nameOf(organization)}. ${outcomeWords[outcome]}`,
      ...(answer === null ? [] : [answer]),
      { words: "Your report:", href: link },
      "You get this message because this address was given with the report.",
    ],
  };
}

function draftGuesses(security: string): Draft {
  return {
    subject: "Wrong codes were entered for your account on Fettle",
    paragraphs: [
      "Somebody got past the first step of signing in to your account, which is your password or your organization's sign-in, and then entered several wrong codes in place of your second factor. They are not signed in.",
      "If that was you, you need not do anything. If not, somebody knows your password: change it at once.",
      { words: "Sign-in and security:", href: security },
    ],
  };
}

/** Subject and first sentence. */
function describeChange(change: SecondFactorChange, name: string): [string, string] {
  const where = "for your account on Fettle";
  const texts: Record<SecondFactorChange, [string, string]> = {
    authenticator_added: [
      "An authenticator app was set up for Fettle",
      `An authenticator app was set up ${where}. Its codes are asked for after your password.`,
    ],
    authenticator_removed: [
      "The authenticator app was removed from Fettle",
      `The authenticator app was removed ${where}. Its codes do not count any more.`,
    ],
    passkey_added: [
      "A passkey was added to Fettle",
      `The passkey ${name} was added ${where}. It signs in without a password.`,
    ],
    passkey_removed: [
      "A passkey was removed from Fettle",
      `The passkey ${name} was removed ${where}.`,
    ],
    passkey_copied: [
      "A passkey for Fettle may have been copied",
      `The passkey ${name} was refused: it counted fewer uses than it had before, as a copy of it would. Remove it, and add a new one.`,
    ],
    recovery_codes_made: [
      "New recovery codes for Fettle",
      `New recovery codes were made ${where}. Those before do not count any more.`,
    ],
    recovery_code_used: [
      "A recovery code for Fettle was used",
      `A recovery code was used ${where} in place of a second factor.`,
    ],
    second_factors_reset: [
      "Your second factors for Fettle were removed",
      `The person who runs the server has removed all passkeys, the authenticator app and the recovery codes ${where}. Your password alone signs you in until you set up a second factor again.`,
    ],
  };
  return texts[change];
}
