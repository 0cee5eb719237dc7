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
  assigned: checkboxField("Work assigned to me"),
  due_tomorrow: checkboxField("My work due tomorrow"),
  overdue: checkboxField("My overdue work"),
  report_answered: checkboxField("Updates on problems I reported"),
  weekly_digest: checkboxField("Weekly summary"),
};

const help: Partial<Record<NotificationTopic, string>> = translated({
  assigned: "By someone else. Assignments within a few minutes arrive in one email.",
  due_tomorrow: "One email each morning.",
  overdue: "When work becomes overdue, then every Monday. Part of the morning email.",
  weekly_digest:
    "On Mondays: what's overdue, due and done in your workspaces. For people who manage others' work.",
});

const topics = Object.keys(fields) as NotificationTopic[];

/** `/settings/notifications`: the person's choice of emails, and the calendar address. */
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
  done: () => seeOther(notificationsAddress, t("Email preferences saved.")),
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
  delivers: boolean;
}

function NotificationsPage({ email, organization, delivers, ...calendar }: View): VNode {
  return (
    <SettingsPage title={t("Notifications")} current={notificationsAddress}>
      <section class="panel" aria-labelledby="mails">
        <h2 id="mails">{t("Emails")}</h2>
        <p>
          {delivers
            ? tRich(
                "About {organization}, sent to {email}. You get no emails about things you can't see or do yourself.",
                { organization: <bdi>{organization}</bdi>, email },
              )
            : t("Email isn't set up on this server. Your choices apply once it is.")}
        </p>
        <StaleLink href={notificationsAddress} />
        <PostForm>
          <fieldset>
            <legend>{t("Email me about")}</legend>
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
