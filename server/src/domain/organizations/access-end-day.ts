import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";

/**
 * Validates the last day of a membership in the organization's time zone: today or later. Null
 * means no end.
 */
export function checkAccessEnd(caller: Caller, day: string | undefined): string | null {
  if (day === undefined) return null;
  const today = todayOf(caller);
  if (day >= today) return day;
  throw new AppError("validation_failed", "before_today", { field: "access_ends_on", day, today });
}
