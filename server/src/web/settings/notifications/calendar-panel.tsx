import type { VNode } from "preact";
import type { CalendarCoverage } from "../../../db/entities/tasks.js";
import type { CalendarAddress } from "../../../domain/tasks/calendar-feeds.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { Facts } from "../../layout/facts.js";
import { Moment } from "../../layout/moment.js";
import { ActionLink } from "../../layout/page-head.js";
import { calendarAddress } from "./addresses.js";

export const coverageLabels: Record<CalendarCoverage, string> = translated({
  own: "My tasks",
  all: "All tasks I can see",
});

export interface CalendarView {
  calendar: CalendarAddress | null;
}

/** The person's calendar address, and actions to create, renew and revoke it. */
export function CalendarPanel({ calendar }: CalendarView): VNode {
  return (
    <section class="panel" aria-labelledby="calendar">
      <h2 id="calendar">{t("Calendar")}</h2>
      <p>{t("See due tasks in your calendar app with a private link.")}</p>
      {calendar === null ? (
        <ActionLink href={calendarAddress}>{t("Create a calendar address")}</ActionLink>
      ) : (
        <>
          <Facts
            facts={[
              [t("Shows||a calendar"), coverageLabels[calendar.covers]],
              [t("Created"), <Moment at={calendar.created_at} />],
              [
                t("Last read"),
                calendar.last_read_at === null ? t("Never") : <Moment at={calendar.last_read_at} />,
              ],
            ]}
          />
          <p class="help">
            {t("The address is only shown once. If you no longer have it, create a new one.")}
          </p>
          <div class="actions">
            <ActionLink href={calendarAddress} quiet>
              {t("Create a new address")}
            </ActionLink>
            <a class="button quiet" href={`${calendarAddress}/revoke`}>
              {tRich("Revoke<rest> the calendar address</rest>", {
                rest: (words) => <span class="visually-hidden">{words}</span>,
              })}
            </a>
          </div>
        </>
      )}
    </section>
  );
}
