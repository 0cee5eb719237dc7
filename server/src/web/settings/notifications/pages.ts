import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { findCalendarAddress } from "../../../domain/calendar/calendar-feeds.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { SettingsPage } from "../settings-layout.js";
import { CalendarPanel, type CalendarView } from "./calendar-panel.js";
import { calendarForms } from "./calendar-forms.js";
import { notificationsAddress } from "./addresses.js";

/** `/settings/notifications`: how the person hears of tasks beside these pages. */
export const notificationPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requireMember);
  app.get(notificationsAddress, async (request, reply) => {
    const caller = callerOf(request);
    const calendar = await findCalendarAddress(request.db.manager, caller);
    return sendPage(reply, <NotificationsPage calendar={calendar} timeZone={caller.timeZone} />);
  });
  await app.register(calendarForms);
};

function NotificationsPage(view: CalendarView): VNode {
  return (
    <SettingsPage title="Notifications" current={notificationsAddress}>
      <CalendarPanel {...view} />
    </SettingsPage>
  );
}
