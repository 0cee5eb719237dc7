import type { Tx } from "../../db/database.js";
import {
  notificationChannels,
  type NotificationChannel,
  type NotificationChoice,
  type NotificationKind,
} from "../../db/entities/messaging.js";
import type { Caller } from "../access/caller.js";
import { assertUnchanged, contentHash } from "../history/content-hash.js";

export type NotificationChoices = Record<NotificationTopic, boolean>;
export type NotificationTopic = Exclude<
  keyof NotificationChoice,
  "organization_id" | "user_id" | "channel"
>;
export type ChoicesByChannel = Record<NotificationChannel, NotificationChoices>;

/** Topics of each kind. Unsubscribing from an email turns off all its topics for emails. */
export const topicsOf = {
  assigned: ["assigned"],
  comment: ["comments"],
  reminder: ["due_tomorrow", "overdue"],
  report_answered: ["report_answered"],
  contractor_done: ["contractor_done"],
  weekly_digest: ["weekly_digest"],
} as const satisfies Record<NotificationKind, readonly NotificationTopic[]>;

/**
 * SQL for each preference of member `m`, with choices `c` if stored. By default, notifications
 * about a person's own work and reports are on. The digest is on for admins of an organization or
 * workspace.
 */
export const chosenSql: Record<NotificationTopic, string> = {
  assigned: "coalesce(c.assigned, TRUE)",
  comments: "coalesce(c.comments, TRUE)",
  due_tomorrow: "coalesce(c.due_tomorrow, TRUE)",
  overdue: "coalesce(c.overdue, TRUE)",
  report_answered: "coalesce(c.report_answered, TRUE)",
  contractor_done: "coalesce(c.contractor_done, TRUE)",
  weekly_digest: `coalesce(c.weekly_digest, m.role <> 'member' OR EXISTS (
    SELECT FROM workspace_members w WHERE w.organization_id = m.organization_id
      AND w.user_id = m.user_id AND w.role = 'admin'))`,
};

/** Joins the choices `c` of member `m` for a channel, given as SQL. */
export const choicesJoin = (channel: string) => `LEFT JOIN notification_choices c
  ON c.organization_id = m.organization_id AND c.user_id = m.user_id AND c.channel = ${channel}`;

/** SQL with `choicesJoin`: the member wants notifications of the kind. */
export const wantsSql = (kind: NotificationKind) =>
  `(${topicsOf[kind].map((topic) => chosenSql[topic]).join(" OR ")})`;

type Person = Pick<Caller, "organizationId" | "userId">;

/** By channel. Undefined for people who are not members. */
export async function findNotificationChoices(
  db: Tx,
  { organizationId, userId }: Person,
): Promise<ChoicesByChannel | undefined> {
  const columns = Object.entries(chosenSql).map(([topic, sql]) => `'${topic}', ${sql}`);
  const rows = await db.query<{ channel: NotificationChannel; choices: NotificationChoices }>(
    `SELECT via.channel, jsonb_build_object(${columns.join(", ")}) AS choices
     FROM organization_members m CROSS JOIN unnest($3::text[]) via (channel)
     ${choicesJoin("via.channel")}
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL`,
    [organizationId, userId, notificationChannels],
  );
  if (rows.length === 0) return undefined;
  return Object.fromEntries(
    rows.map(({ channel, choices }) => [channel, choices]),
  ) as ChoicesByChannel;
}

/** A hash of the preferences that a change is based on. */
export function readingOfChoices(choices: ChoicesByChannel | undefined): number {
  return contentHash(choices ?? {});
}

/** Stores all preferences. Throws if they changed since the person loaded the form. */
export async function changeNotifications(
  tx: Tx,
  person: Person,
  choices: ChoicesByChannel,
  expected: number | undefined,
): Promise<void> {
  await tx.query(
    "SELECT 1 FROM notification_choices WHERE organization_id = $1 AND user_id = $2 FOR UPDATE",
    [person.organizationId, person.userId],
  );
  const present = await findNotificationChoices(tx, person);
  if (readingOfChoices(choices) !== readingOfChoices(present)) {
    assertUnchanged("organization", present ?? {}, expected);
  }
  for (const channel of notificationChannels) {
    await chooseNotifications(tx, person, channel, choices[channel]);
  }
}

/** Stores the given preferences for a channel. All other preferences are unchanged. */
export async function chooseNotifications(
  tx: Tx,
  { organizationId, userId }: Person,
  channel: NotificationChannel,
  choices: Partial<NotificationChoices>,
): Promise<void> {
  const topics = Object.keys(chosenSql) as NotificationTopic[];
  const settings = topics.map(
    (topic) => `${topic} = coalesce(excluded.${topic}, notification_choices.${topic})`,
  );
  await tx.query(
    `INSERT INTO notification_choices (organization_id, user_id, channel, ${topics.join(", ")})
     VALUES ($1, $2, $3, ${topics.map((_, index) => `$${index + 4}`).join(", ")})
     ON CONFLICT ON CONSTRAINT notification_choices_pkey DO UPDATE SET ${settings.join(", ")}`,
    [organizationId, userId, channel, ...topics.map((topic) => choices[topic] ?? null)],
  );
}

/** Turns off one kind of email. Anyone with the unsubscribe link may call it. */
export async function unsubscribe(tx: Tx, person: Person, kind: NotificationKind): Promise<void> {
  // Former members get no emails.
  if ((await findNotificationChoices(tx, person)) === undefined) return;
  const none = Object.fromEntries(topicsOf[kind].map((topic) => [topic, false]));
  await chooseNotifications(tx, person, "email", none);
}
