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
      choiceField("Tasks in the calendar", calendarCoverages),
      "Choose which tasks the calendar shows.",
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
  done: () => seeOther(notificationsAddress, t("Calendar address revoked.")),
  page: () => <RevokePage />,
});

interface MakeView {
  organization: string;
  /** True if the new address replaces an existing one. */
  isRenewed: boolean;
}

function MakePage({ organization, isRenewed }: MakeView): VNode {
  return (
    <SettingsPage
      title={isRenewed ? t("Create a new calendar address") : t("Create a calendar address")}
      current={calendarAddress}
      crumbs={notificationsCrumbs()}
    >
      <p>
        {tRich(
          "Anyone with this address can read your tasks in {organization} until you revoke it, leave, or change your password. Only share it with your calendar.",
          { organization: <bdi>{organization}</bdi> },
        )}
        {isRenewed && ` ${t("Your current address stops working right away.")}`}
      </p>
      <section class="panel" aria-label={t("Calendar address")}>
        <PostForm>
          <RadioChoices
            name="covers"
            legend={t("Tasks in the calendar")}
            choices={[
              {
                value: "own",
                label: coverageLabels.own,
                help: t("Open tasks assigned to you."),
              },
              {
                value: "all",
                label: coverageLabels.all,
                help: t("Everyone's open tasks in your workspaces."),
              },
            ]}
          />
          <FormActions submit={t("Create address")} cancel={notificationsAddress} />
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
          "Subscribe to this address in your calendar: “From URL” in Google Calendar, “Subscribe from web” in Outlook. On Apple devices, use the button.",
        )}{" "}
        <strong>{t("Shown only once.")}</strong>
      </p>
      <section class="panel" aria-label={t("Calendar address")}>
        <TextToCopy id="address" label={t("Address")} value={address} />
        <div class="actions">
          <a class="button" href={address.replace(/^https?:/, "webcal:")}>
            {t("Open in your calendar")}
          </a>
          <a class="button quiet" href={notificationsAddress}>
            {t("I've saved it, continue")}
          </a>
        </div>
      </section>
      <p class="help">
        {t(
          "Calendars refresh about once an hour, so changes appear with a delay. Completed and cancelled tasks disappear.",
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
      <p>{t("Calendars using this address stop updating right away.")}</p>
      <PostForm>
        <FormActions submit={t("Revoke")} danger cancel={notificationsAddress} />
      </PostForm>
    </SettingsPage>
  );
}
