import type { InvitationLetter } from "../domain/messaging/mail-cipher.js";
import { dateFormat } from "../language/formats.js";
import { t, tRich } from "../language/translate.js";
import { paragraph, say, toPlainName, toText, type MailContent } from "./email.js";
import { renderEmail } from "./layout.js";

export function composeInvitation(letter: InvitationLetter): MailContent {
  const { inviter, organization, workspace, message, link } = letter;
  const news = say((name) =>
    workspace === undefined
      ? tRich("{inviter} invited you to {organization} on Fettle.", {
          inviter: name(inviter),
          organization: name(organization),
        })
      : tRich("{inviter} invited you to the workspace {workspace} in {organization} on Fettle.", {
          inviter: name(inviter),
          organization: name(organization),
          workspace: name(workspace),
        }),
  );
  return renderEmail({
    subject: t("Invitation to {organization}", { organization: toPlainName(organization) }),
    preheader: toText(news),
    organization,
    news,
    blocks: [
      paragraph(t("Teams use Fettle to manage assets and maintenance.")),
      ...(message === undefined ? [] : [{ kind: "quote" as const, words: message }]),
      { kind: "button", label: t("Accept invitation"), href: link, showAddress: true },
      paragraph(t("The link is valid until {end}. Don't share it.", { end: describeEnd(letter) })),
      paragraph(t("Not expecting this? You can ignore it.")),
    ],
    why: say((name) =>
      tRich("You get this email because {inviter} invited this address.", {
        inviter: name(inviter),
      }),
    ),
  });
}

export function describeEnd({
  expiresAt,
  timeZone,
}: Pick<InvitationLetter, "expiresAt" | "timeZone">): string {
  const format = dateFormat({ dateStyle: "long", timeStyle: "short", timeZone });
  return `${format.format(new Date(expiresAt))} (${timeZone})`;
}
