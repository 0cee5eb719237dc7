import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { calendarCoverages } from "../../../db/entities/tasks.js";
import {
  findCalendarAddress,
  makeCalendarAddress,
  revokeCalendarAddress,
} from "../../../domain/tasks/calendar-feeds.js";
import { t, tRich } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { choiceField, required } from "../../forms/form-fields.js";
import { otherPage, seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import { RadioChoices } from "../../forms/radio-choices.js";
import { TextToCopy } from "../../forms/text-to-copy.js";
import { SettingsPage } from "../settings-layout.js";
import { calendarAddress, notificationsAddress, notificationsCrumbs } from "./addresses.js";
import { coverageLabels } from "./calendar-panel.js";

/** The forms below `/settings/notifications/calendar`. */
export const calendarForms: FastifyPluginAsync = async (app) => {
  await app.register(makeForm);
  await app.register(revokeForm);
};

const makeForm = formRoute({
  path: calendarAddress,
  limit: "calendar-address",
  open: async ({ db, caller }) => ({ present: await findCalendarAddress(db, caller) }),
  fields: {
    covers: required(
      choiceField("What the calendar shows", calendarCoverages),
      "Choose what the calendar shows.",
    ),
  },
  begin: ({ subject: { present } }) => ({ covers: present?.covers ?? "own" }),
  change: (tx, { caller, request: { session }, given: { covers } }) =>
    makeCalendarAddress(tx, caller, { covers, sessionId: session.sessionId }),
  done: (secret, { app }) =>
    otherPage(
      200,
      <AddressPage address={`${app.services.config.baseUrl}/calendar/${secret}.ics`} />,
    ),
  page: ({ caller, subject: { present } }) => (
    <MakePage organization={caller.organizationName} isRenewed={present !== null} />
  ),
});

const revokeForm = formRoute({
  path: `${calendarAddress}/revoke`,
  change: (tx, { caller }) => revokeCalendarAddress(tx, caller),
  done: () => seeOther(notificationsAddress, t("The calendar address is revoked.")),
  page: () => <RevokePage />,
});

interface MakeView {
  organization: string;
  /** Whether there is one, which the new one takes the place of. */
  isRenewed: boolean;
}

function MakePage({ organization, isRenewed }: MakeView): VNode {
  return (
    <SettingsPage
      title={isRenewed ? t("Make a new calendar address") : t("Make a calendar address")}
      current={calendarAddress}
      crumbs={notificationsCrumbs()}
    >
      <p>
        {tRich(
          "Whoever has the address reads the tasks of {organization} that you see, until you revoke it, leave, or are signed out everywhere, as with another password. Give it to your calendar program and to nobody else.",
          { organization: <bdi>{organization}</bdi> },
        )}
        {isRenewed && ` ${t("The address that you have now stops working at once.")}`}
      </p>
      <section class="panel" aria-label={t("Calendar address")}>
        <PostForm>
          <RadioChoices
            name="covers"
            legend={t("What the calendar shows")}
            choices={[
              {
                value: "own",
                label: coverageLabels.own,
                help: t("The open tasks that you are responsible for."),
              },
              {
                value: "all",
                label: coverageLabels.all,
                help: t("The open tasks of everybody, in the workspaces that you belong to."),
              },
            ]}
          />
          <FormActions submit={t("Make address")} cancel={notificationsAddress} />
        </PostForm>
      </section>
    </SettingsPage>
  );
}

function AddressPage({ address }: { address: string }): VNode {
  return (
    <SettingsPage
      title={t("Your calendar address")}
      current={calendarAddress}
      crumbs={notificationsCrumbs()}
    >
      <p>
        {t(
          "Subscribe to this address in your calendar program: in Google Calendar “From URL”, in Outlook “Subscribe from web”, on Apple devices the button.",
        )}{" "}
        <strong>{t("It is shown only now.")}</strong>
      </p>
      <section class="panel" aria-label={t("Calendar address")}>
        <TextToCopy id="address" label={t("Address")} value={address} />
        <div class="actions">
          <a class="button" href={address.replace(/^https?:/, "webcal:")}>
            {t("Open in the calendar program")}
          </a>
          <a class="button quiet" href={notificationsAddress}>
            {t("I have it, continue")}
          </a>
        </div>
      </section>
      <p class="help">
        {t(
          "Calendar programs read it again every hour or less often, so that changes come late. Tasks that are done or cancelled go from the calendar.",
        )}
      </p>
    </SettingsPage>
  );
}

function RevokePage(): VNode {
  return (
    <SettingsPage
      title={t("Revoke the calendar address")}
      heading={t("Revoke the calendar address?")}
      current={calendarAddress}
      crumbs={notificationsCrumbs()}
    >
      <p>{t("Programs that read your calendar at it stop to get anything, at once.")}</p>
      <PostForm>
        <FormActions submit={t("Revoke")} danger cancel={notificationsAddress} />
      </PostForm>
    </SettingsPage>
  );
}
