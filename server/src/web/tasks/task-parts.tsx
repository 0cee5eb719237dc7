import type { VNode } from "preact";
import { daysBetween } from "../../domain/shared/dates.js";
import { DaysLate } from "../layout/badges.js";
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

/** "28 days overdue, 24 Oct 2026". */
export function LateDay({ day, today }: { day: string; today: string }): VNode {
  return (
    <>
      <DaysLate due={day} today={today} />
      <span class="soft">
        <span class="between"> · </span>
        <Day day={day} today={today} plain />
      </span>
    </>
  );
}
