import type { VNode } from "preact";
import { notificationChannels, type NotificationChannel } from "../../../db/entities/messaging.js";
import { findCalendarAddress } from "../../../domain/tasks/calendar-feeds.js";
import {
  changeNotifications,
  findNotificationChoices,
  readingOfChoices,
  type ChoicesByChannel,
  type NotificationTopic,
} from "../../../domain/messaging/notification-choices.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { useForm } from "../../forms/form-context.js";
import { checkboxField, type FormField } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import { StaleLink } from "../../forms/stale-notice.js";
import { SettingsPage } from "../settings-layout.js";
import { notificationsAddress } from "./addresses.js";
import { isPushOn, PushPanel, type PushView } from "./push-panel.js";
import { CalendarPanel, type CalendarView } from "./calendar-panel.js";

const topics: Record<NotificationTopic, string> = translated({
  assigned: "Work assigned to me",
  comments: "Comments on my tasks, and mentions",
  due_tomorrow: "My work due tomorrow",
  overdue: "My overdue work",
  report_answered: "Updates on problems I reported",
  contractor_done: "Work that contractors marked as done",
  weekly_digest: "Weekly summary",
});

const help: Partial<Record<NotificationTopic, string>> = translated({
  assigned: "By someone else. Assignments within a few minutes arrive in one email.",
  comments: "When someone writes @ and your name, or comments on a task assigned to you.",
  due_tomorrow: "Each morning.",
  overdue: "When work becomes overdue, then every Monday.",
  contractor_done: "On tasks assigned to you. Without an assignee, on tasks you shared.",
  weekly_digest:
    "On Mondays: what's overdue, due and done in your workspaces. For people who manage others' work.",
});

const channels: Record<NotificationChannel, string> = translated({
  email: "Email",
  app: "In the app",
  push: "Push",
});

const topicNames = Object.keys(topics) as NotificationTopic[];

/** The field of a topic. Emails came first, so their fields have the topic's name alone. */
const fieldOf = (channel: NotificationChannel, topic: NotificationTopic) =>
  channel === "email" ? topic : `${channel}_${topic}`;

/** Calls `value` for each topic and channel. */
function eachChoice<Value>(
  value: (channel: NotificationChannel, topic: NotificationTopic) => Value,
): Record<NotificationChannel, Record<NotificationTopic, Value>> {
  const ofChannel = (channel: NotificationChannel) =>
    Object.fromEntries(topicNames.map((topic) => [topic, value(channel, topic)]));
  return Object.fromEntries(
    notificationChannels.map((channel) => [channel, ofChannel(channel)]),
  ) as Record<NotificationChannel, Record<NotificationTopic, Value>>;
}

const fields: Record<string, FormField<boolean>> = Object.fromEntries(
  notificationChannels.flatMap((channel) =>
    topicNames.map((topic) => [fieldOf(channel, topic), checkboxField(() => topics[topic])]),
  ),
);

/** `/settings/notifications`: the person's choices by topic and channel, and the calendar address. */
export const notificationChoicesForm = formRoute({
  path: notificationsAddress,
  script: "push",
  open: async ({ db, caller, request }) => ({
    calendar: await findCalendarAddress(db, caller),
    choices: await findNotificationChoices(db, caller),
    isPushOn: await isPushOn(db, request),
  }),
  version: ({ choices }) => readingOfChoices(choices),
  fields,
  begin: ({ subject: { choices } }) => toValues(choices),
  change: (tx, { caller, given, version }) =>
    changeNotifications(
      tx,
      caller,
      eachChoice((channel, topic) => given[fieldOf(channel, topic)] === true),
      version,
    ),
  done: () => seeOther(notificationsAddress, t("Notification preferences saved.")),
  page: ({ app, caller, subject: { calendar, isPushOn: isOn } }) => (
    <NotificationsPage
      calendar={calendar}
      email={caller.userEmail}
      organization={caller.organizationName}
      delivers={app.services.mails.delivers}
      push={{ isOn, publicKey: app.services.pushKeys.newest.publicKey }}
    />
  ),
});

function toValues(choices: ChoicesByChannel | undefined): Record<string, string> {
  return Object.fromEntries(
    notificationChannels.flatMap((channel) =>
      topicNames
        .filter((topic) => choices?.[channel][topic] === true)
        .map((topic) => [fieldOf(channel, topic), "yes"]),
    ),
  );
}

interface View extends CalendarView {
  email: string;
  organization: string;
  delivers: boolean;
  push: PushView;
}

function NotificationsPage({ email, organization, delivers, push, ...calendar }: View): VNode {
  return (
    <SettingsPage title={t("Notifications")} current={notificationsAddress}>
      <section class="panel" aria-labelledby="notify">
        <h2 id="notify">{t("Notify me about")}</h2>
        <p>
          {delivers
            ? tRich(
                "About {organization}. Emails go to {email}. You aren't notified about things you can't see or do yourself.",
                { organization: <bdi>{organization}</bdi>, email },
              )
            : t("Email isn't set up on this server. Your choices for it apply once it is.")}
        </p>
        <StaleLink href={notificationsAddress} />
        <PostForm>
          <ChoicesTable />
          <FormActions submit={t("Save")} />
        </PostForm>
      </section>
      <PushPanel {...push} />
      <CalendarPanel {...calendar} />
    </SettingsPage>
  );
}

/** Topics by channels. A checkbox is named by its row and column. */
function ChoicesTable(): VNode {
  const { values } = useForm();
  return (
    <table class="choices" aria-labelledby="notify">
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">{t("Topic")}</span>
          </th>
          {notificationChannels.map((channel) => (
            <th key={channel} scope="col" id={`by-${channel}`}>
              {channels[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {topicNames.map((topic) => (
          <tr key={topic}>
            <th scope="row">
              <span id={`about-${topic}`}>{topics[topic]}</span>
              {help[topic] !== undefined && <small>{help[topic]}</small>}
            </th>
            {notificationChannels.map((channel) => {
              const name = fieldOf(channel, topic);
              return (
                <td key={channel}>
                  <label>
                    <input
                      type="checkbox"
                      id={name}
                      name={name}
                      value="yes"
                      checked={values[name] === "yes"}
                      aria-labelledby={`about-${topic} by-${channel}`}
                    />
                  </label>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
