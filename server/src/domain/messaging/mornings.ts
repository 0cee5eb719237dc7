import type { Database } from "../../db/database.js";
import { Organization } from "../../db/entities/organizations.js";
import {
  notificationChannels,
  type NotificationChannel,
  type NotificationKind,
} from "../../db/entities/messaging.js";
import { commit } from "../history/transactions.js";
import type { MailCipher } from "./mail-cipher.js";
import { forEachInOwnTransaction } from "../../db/for-each-in-own-transaction.js";
import { isOpen, isOverdue } from "../tasks/task-states.js";
import { addDays } from "../shared/dates.js";
import { chosenSql, choicesJoin } from "./notification-choices.js";
import { queueMailOfDay } from "./notification-queue.js";

/**
 * Local hours in which daily notifications are written. After an outage, they are written until the
 * evening.
 */
const [from, until] = ["06:00", "20:00"];

interface Morning {
  id: string;
  today: string;
  /** Work overdue before this day was reported earlier. */
  reminded_on: string | null;
}

/**
 * Writes reminders for organizations where it is morning, and digests on Mondays. Returns the
 * number of queued emails. Each person gets each kind once a day, even with several nodes.
 */
export async function queueMailsOfMorning(db: Database, mails: MailCipher): Promise<number> {
  const mornings =
    await db.query<Morning>(`SELECT o.id, l.at::date::text AS today, o.reminded_on::text AS reminded_on
     FROM organizations o, LATERAL (SELECT app_now() AT TIME ZONE o.time_zone AS at) l
     WHERE l.at::time >= '${from}' AND l.at::time < '${until}'
       AND (o.reminded_on IS NULL OR o.reminded_on < l.at::date)
     ORDER BY o.id`);
  let written = 0;
  await forEachInOwnTransaction(mornings, async (morning) => {
    written += await queueMorning(db, mails, morning);
    await commit({ db, caller: null }, (tx) =>
      tx.update(Organization, { id: morning.id }, { reminded_on: morning.today }),
    );
  });
  return written;
}

interface Reader {
  user_id: string;
  kind: NotificationKind;
  /** Those through which the person wants it. */
  channels: NotificationChannel[];
}

/** Exported to run for other days. */
export async function queueMorning(
  db: Database,
  mails: MailCipher,
  morning: Morning,
): Promise<number> {
  const { id: organizationId, today: day } = morning;
  const readers = await findReaders(db, morning);
  let written = 0;
  for (const { user_id: userId, kind, channels } of readers) {
    const mail = { organizationId, userId, kind, channels, day };
    if (await commit({ db, caller: null }, (tx) => queueMailOfDay(tx, mails, mail))) written += 1;
  }
  return written;
}

const monday = 1;

/** Members with the channels whose choices meet the condition. */
const channelsOf = `array_agg(via.channel) AS channels FROM organization_members m
  CROSS JOIN unnest(ARRAY['${notificationChannels.join("', '")}']) via (channel)
  ${choicesJoin("via.channel")}`;

/**
 * Members with work due tomorrow or overdue since the last reminder. On Mondays, also members with
 * any overdue work and members who want the digest.
 */
async function findReaders(db: Database, { id, today, reminded_on }: Morning): Promise<Reader[]> {
  const isMonday = new Date(today).getUTCDay() === monday;
  const since = isMonday ? "0001-01-01" : (reminded_on ?? addDays(today, -1));
  const reminders = await db.query<Reader>(
    `SELECT m.user_id, 'reminder' AS kind, ${channelsOf}
     WHERE m.organization_id = $1 AND m.removed_at IS NULL AND EXISTS (
       SELECT FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.assigned_to_user_id = m.user_id
         AND ${isOpen("t")} AND NOT t.hidden
         AND (t.due_date = $2::date + 1 AND ${chosenSql.due_tomorrow}
           OR t.due_date >= $3::date AND ${isOverdue("t", "$2")} AND ${chosenSql.overdue}))
     GROUP BY m.user_id ORDER BY m.user_id`,
    [id, today, since],
  );
  if (!isMonday) return reminders;
  const digests = await db.query<Reader>(
    `SELECT m.user_id, 'weekly_digest' AS kind, ${channelsOf}
     WHERE m.organization_id = $1 AND m.removed_at IS NULL AND ${chosenSql.weekly_digest}
     GROUP BY m.user_id ORDER BY m.user_id`,
    [id],
  );
  return [...reminders, ...digests];
}
