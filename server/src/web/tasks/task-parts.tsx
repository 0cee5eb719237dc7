import type { VNode } from "preact";
import { daysBetween } from "../../domain/shared/dates.js";
import { t } from "../../language/translate.js";
import { Day } from "../layout/moment.js";

/** "in 3 days, 24 Nov 2026". A more distant day is only the date. */
export function DueDay({ day, today }: { day: string; today: string }): VNode {
  const isNear = Math.abs(daysBetween(today, day)) <= 13;
  return (
    <>
      <Day day={day} today={today} />
      {isNear && (
        <span class="soft">
          <span class="between"> · </span>
          <Day day={day} today={today} plain />
        </span>
      )}
    </>
  );
}

/** "28 days late, 24 Oct 2026", for overdue work. */
export function LateDay({ day, today }: { day: string; today: string }): VNode {
  return (
    <span class="late">
      {t("{count, plural, one {# day} other {# days}} overdue", { count: daysBetween(day, today) })}{" "}
      <span class="soft">
        <span class="between"> · </span>
        <Day day={day} today={today} plain />
      </span>
    </span>
  );
}
