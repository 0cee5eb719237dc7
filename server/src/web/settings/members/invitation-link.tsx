import type { ComponentChildren, VNode } from "preact";
import { t, tRich } from "../../../language/translate.js";
import { invitationsAddress } from "./parts.js";

/** The link of an invitation that wasn't emailed, to copy and send. */
export function InvitationLink({
  inviteId,
  recipient,
  link,
}: {
  inviteId: string;
  recipient: string;
  /** Undefined if its key is no longer configured. */
  link: string | undefined;
}): VNode {
  const field = `link-${inviteId}`;
  if (link === undefined) {
    return (
      <p>
        {tRich(
          "The link can't be read because the server's secret key was changed. <a>Send it again</a> to get a new one.",
          {
            a: (words: ComponentChildren) => (
              <a href={`${invitationsAddress}/${inviteId}/resend`}>{words}</a>
            ),
          },
        )}
      </p>
    );
  }
  return (
    <div class="field">
      <label for={field}>
        {tRich("Link <hidden>for {recipient}</hidden>", {
          hidden: (words: ComponentChildren) => <span class="visually-hidden">{words}</span>,
          recipient,
        })}
      </label>
      <input id={field} class="copy" type="text" readonly value={link} />
      <p class="help">{t("Share it only with this person.")}</p>
    </div>
  );
}
