import { AppError } from "../../errors.js";
import type { InviteRecord } from "./invite-references.js";

const minute = 60_000;
const day = 24 * 60 * minute;
const mostResendsADay = 5;

/**
 * The resends of the last 24 hours, when one more is allowed: one a minute and five a day. The first
 * may follow the invitation at once.
 */
export function stillCounting(invite: InviteRecord, at: Date): Date[] {
  const now = at.getTime();
  const recent = invite.recent_resends.filter((earlier) => earlier.getTime() > now - day);
  const [oldest] = recent;
  const next = Math.max(
    invite.sent_count > 1 ? invite.last_sent_at.getTime() + minute : now,
    recent.length >= mostResendsADay && oldest !== undefined ? oldest.getTime() + day : now,
  );
  if (next <= now) return recent;
  const seconds = Math.ceil((next - now) / 1000);
  throw new AppError("rate_limited", `Too many requests: try again in ${seconds} seconds.`, {
    field: "invite_id",
    details: { retry_after_seconds: seconds },
  });
}
