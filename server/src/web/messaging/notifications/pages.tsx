import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { notificationKinds, type NotificationKind } from "../../../db/entities/messaging.js";
import {
  listNotifications,
  markRead,
  notificationAddress,
  findSubjectAddress,
  type AppNotification,
} from "../../../domain/messaging/app-notifications.js";
import { commit } from "../../../domain/history/transactions.js";
import { outcomeWords } from "../../../domain/reports/outcome-words.js";
import { AppError } from "../../../errors.js";
import { t } from "../../../language/translate.js";
import { PostForm } from "../../forms/controls.js";
import { readText } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import { Page } from "../../layout/layout.js";
import { Moment } from "../../layout/moment.js";
import { EmptyState } from "../../layout/notices.js";
import { ActionLink, PageHead } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { Pager } from "../../lists/pager.js";
import { notificationsAddress as preferences } from "../../settings/notifications/addresses.js";
import { requireMember } from "../../../plugins/members.js";
import { toPersonName } from "../../text/person-name.js";

const path = "/notifications";

/** `/notifications`: what happened to the person's work, and the way to each subject. */
export const appNotificationPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(markAllForm);

  app.get(path, async (request, reply) => {
    const before = readText(request.query, "before");
    const list = await listNotifications(request.db, callerOf(request), toKey(before.split(".")));
    return sendPage(reply, <NotificationsPage {...list} before={before} />);
  });

  // A link, not a button, so that messages to the person's devices can lead here too.
  app.get<{ Params: { kind: string; id: string } }>(`${path}/:kind/:id`, async (request, reply) => {
    const { kind, id } = request.params;
    const key = toKey([kind, id]);
    if (key === undefined) throw new AppError("not_found", "nothing_there");
    request.onlyReads = false;
    const caller = callerOf(request);
    await commit({ db: request.db, caller }, (tx) => markRead(tx, caller, key));
    return reply.redirect(await findSubjectAddress(request.db, caller, key), 303);
  });
};

const markAllForm = formRoute({
  path: `${path}/read`,
  isPage: false,
  change: (tx, { caller }) => markRead(tx, caller),
  done: () => seeOther(path, t("All notifications marked as read.")),
});

function toKey([kind, subject = ""]: readonly string[]) {
  const known = notificationKinds.find((one) => one === kind);
  return known === undefined ? undefined : { kind: known, subject };
}

interface View {
  notifications: readonly AppNotification[];
  hasMore: boolean;
  before: string;
}

function NotificationsPage({ notifications, hasMore, before }: View): VNode {
  const last = notifications.at(-1);
  return (
    <Page title={t("Notifications")} current={path}>
      <PageHead
        title={t("Notifications")}
        actions={
          <>
            {notifications.some((one) => !one.is_read) && (
              <PostForm action={`${path}/read`}>
                <button type="submit">{t("Mark all as read")}</button>
              </PostForm>
            )}
            <ActionLink quiet href={preferences}>
              {t("Preferences")}
            </ActionLink>
          </>
        }
      />
      {notifications.length === 0 ? (
        <EmptyState title={t("No notifications")}>
          <p>{t("News about your work and reports appears here for 30 days.")}</p>
        </EmptyState>
      ) : (
        <ol class="notifications">{notifications.map(toRow)}</ol>
      )}
      <Pager
        path={path}
        query={new URLSearchParams(before === "" ? {} : { before })}
        nextCursor={hasMore && last !== undefined ? `${last.kind}.${last.subject}` : undefined}
        parameter="before"
      />
    </Page>
  );
}

/** The words of a row: its subject, and what happened to it. */
const words: Record<NotificationKind, (of: AppNotification) => { title: string; news?: string }> = {
  assigned: ({ title, actor }) => ({
    title: title ?? t("A task you can no longer view"),
    news: actor === null ? t("Assigned to you") : t("Assigned to you by {name}", { name: actor }),
  }),
  comment: ({ title, actor }) => ({
    title: title ?? t("A comment you can no longer view"),
    news: t("Comment by {name}", { name: actor === null ? t("Someone") : toPersonName(actor) }),
  }),
  reminder: () => ({ title: t("Tasks due tomorrow or overdue") }),
  report_answered: ({ title, status }) => ({
    title: title ?? t("A report you can no longer view"),
    ...(title !== null && status !== null && { news: outcomeWords[status] }),
  }),
  contractor_done: ({ title, actor }) => ({
    title: title ?? t("A task you can no longer view"),
    news: t("Marked as done by {name}", {
      name: actor === null ? t("Someone") : toPersonName(actor),
    }),
  }),
  weekly_digest: () => ({ title: t("Weekly summary") }),
};

function toRow(notification: AppNotification): VNode {
  const { kind, subject, created_at, is_read: isRead } = notification;
  const { title, news } = words[kind](notification);
  return (
    <li key={`${kind} ${subject}`} class={isRead ? undefined : "unread"}>
      <p>
        {!isRead && <span class="visually-hidden">{t("Unread")}: </span>}
        <a href={notificationAddress({ kind, subject })} dir="auto">
          {title}
        </a>
      </p>
      <p class="soft">
        {news !== undefined && <>{news} · </>}
        <Moment at={created_at} />
      </p>
    </li>
  );
}
