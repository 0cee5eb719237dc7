import type { VNode } from "preact";
import { daysBetween } from "../../domain/dates.js";
import { Day } from "../moment.js";

/** "in 3 days, 24 Nov 2026"; what is further away is only the date. */
export function DueDay({ day, today }: { day: string; today: string }): VNode {
  const isNear = Math.abs(daysBetween(today, day)) <= 13;
  return (
    <>
      <Day day={day} today={today} />
      {isNear && (
        <span class="soft">
          {" "}
          <Day day={day} today={today} plain />
        </span>
      )}
    </>
  );
}
