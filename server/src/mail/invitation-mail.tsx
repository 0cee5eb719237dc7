import { Fragment } from "preact";
import { renderToString } from "preact-render-to-string";
import { withoutLinks } from "../domain/shared/links.js";
import type { InvitationLetter } from "../domain/messaging/mail-cipher.js";
import { quote } from "../domain/shared/quote.js";
import { dateFormat } from "../language/formats.js";
import { currentLocale, languageOf } from "../language/locale.js";
import { t } from "../language/translate.js";

/** A mail before it gets its sender and recipient. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
  /** Beside those of every mail. */
  headers?: Readonly<Record<string, string>>;
}

/** The invitation as plain text and as simple HTML, both with the same words. */
export function composeInvitation(letter: InvitationLetter): MailContent {
  const inviter = nameOf(letter.inviter);
  const organization = nameOf(letter.organization);
  const opening =
    letter.workspace === undefined
      ? t(
          "{inviter} invited you to {organization} on Fettle, where teams look after their assets and maintenance.",
          { inviter, organization },
        )
      : t(
          "{inviter} invited you to the workspace {workspace} of {organization} on Fettle, where teams look after their assets and maintenance.",
          { inviter, organization, workspace: nameOf(letter.workspace) },
        );
  const accept = t("Accept the invitation:");
  const validity = t("The link is valid until {end}. Don't share it.", {
    end: describeEnd(letter),
  });
  const closing = t("Not expecting this? You can ignore it.");
  const message = letter.message?.split("\n");
  const text = [
    opening,
    ...(message === undefined ? [] : [message.map((line) => `> ${line}`).join("\n")]),
    `${accept}\n${letter.link}`,
    validity,
    closing,
  ];
  const html = renderToString(
    <html lang={languageOf(currentLocale())}>
      <body>
        <p>{opening}</p>
        {message && (
          <blockquote dir="auto">
            {message.map((line, index) => (
              <Fragment key={index}>
                {index > 0 && <br />}
                {line}
              </Fragment>
            ))}
          </blockquote>
        )}
        <p>
          {accept}
          <br />
          <a href={letter.link}>{letter.link}</a>
        </p>
        <p>{validity}</p>
        <p>{closing}</p>
      </body>
    </html>,
  );
  return {
    subject: t("Invitation to {organization}", { organization }),
    text: text.join("\n\n") + "\n",
    html: ["<!doctype html>", html].join(""),
  };
}

/** Names come from people: on one line, cut, and without anything that a mail program would link. */
export function nameOf(name: string): string {
  return quote(withoutLinks(name));
}

function describeEnd({ expiresAt, timeZone }: InvitationLetter): string {
  const format = dateFormat({ dateStyle: "long", timeStyle: "short", timeZone });
  return `${format.format(new Date(expiresAt))} (${timeZone})`;
}
