import { AppError } from "../errors.js";
import { limitRefusals } from "../metrics.js";

export type TooOften =
  | "network"
  | "sign_ins"
  | "passwords"
  | "signed_in"
  | "openings"
  | "pages"
  | "bodies"
  | "messages"
  | "organization"
  | "several"
  | "unread"
  | "written";

/** The error for an exceeded rate limit of an address, account, link, person, or everyone. */
export function rateLimited(what: TooOften, waitMs: number): AppError {
  limitRefusals.inc({ limit: what });
  const details = { what, retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)) };
  return new AppError("rate_limited", "too_many_requests", details);
}
