import type { VNode } from "preact";
import { findCalendarAddress } from "../../../domain/tasks/calendar-feeds.js";
import {
  changeNotifications,
  findNotificationChoices,
  readingOfChoices,
  type NotificationChoices,
  type NotificationTopic,
} from "../../../domain/messaging/notification-choices.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { Checkbox, FormActions, PostForm } from "../../forms/controls.js";
import { checkboxField } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import { StaleLink } from "../../forms/stale-notice.js";
import { SettingsPage } from "../settings-layout.js";
import { notificationsAddress } from "./addresses.js";
import { CalendarPanel, type CalendarView } from "./calendar-panel.js";

const fields = {
  assigned: checkboxField("Work that is assigned to me"),
  due_tomorrow: checkboxField("My work that is due tomorrow"),
  overdue: checkboxField("My work that is overdue"),
  report_answered: checkboxField("Answers to what I reported"),
  weekly_digest: checkboxField("The week at a glance"),
};

const help: Record<NotificationTopic, string> = translated({
  assigned: "By somebody else. What comes within a few minutes is one mail.",
  due_tomorrow: "One mail in the morning, with all of it.",
  overdue: "In the same mail: when it has become overdue, and on Mondays while it is.",
  report_answered: "What became of a problem that you have reported.",
  weekly_digest:
    "On Mondays: what is overdue, due and done, as far as you see it. Meant for those who manage others' work.",
});

const topics = Object.keys(fields) as NotificationTopic[];

/** `/settings/notifications`: which mails the person gets, and the calendar address. */
export const mailChoicesForm = formRoute({
  path: notificationsAddress,
  open: async ({ db, caller }) => ({
    calendar: await findCalendarAddress(db, caller),
    choices: await findNotificationChoices(db, caller),
  }),
  version: ({ choices }) => readingOfChoices(choices),
  fields,
  begin: ({ subject: { choices } }) =>
    Object.fromEntries(
      topics.flatMap((topic) => (choices?.[topic] === true ? [[topic, "yes"]] : [])),
    ),
  change: (tx, { caller, given, version }) =>
    changeNotifications(
      tx,
      caller,
      Object.fromEntries(
        topics.map((topic) => [topic, given[topic] === true]),
      ) as NotificationChoices,
      version,
    ),
  done: () => seeOther(notificationsAddress, t("Your choice of mails is saved.")),
  page: ({ app, caller, subject: { calendar } }) => (
    <NotificationsPage
      calendar={calendar}
      email={caller.userEmail}
      organization={caller.organizationName}
      delivers={app.services.mails.delivers}
    />
  ),
});

interface View extends CalendarView {
  email: string;
  organization: string;
  /** Whether the server has a mail server. */
  delivers: boolean;
}

function NotificationsPage({ email, organization, delivers, ...calendar }: View): VNode {
  return (
    <SettingsPage title={t("Notifications")} current={notificationsAddress}>
      <section class="panel" aria-labelledby="mails">
        <h2 id="mails">{t("Mails")}</h2>
        <p>
          {delivers
            ? tRich(
                "About the work of {organization}, to {email}. You are told of nothing that you cannot see, and not of what you do yourself.",
                { organization: <bdi>{organization}</bdi>, email },
              )
            : t("This server sends no mails now. What you choose counts from when it does.")}
        </p>
        <StaleLink what="settings" href={notificationsAddress} />
        <PostForm>
          <fieldset>
            <legend>{t("Send me mails about")}</legend>
            {topics.map((topic) => (
              <Checkbox key={topic} name={topic} help={help[topic]} />
            ))}
          </fieldset>
          <FormActions submit={t("Save")} />
        </PostForm>
      </section>
      <CalendarPanel {...calendar} />
    </SettingsPage>
  );
}
