import type { Scope } from "fettle-shared";
import type { OrganizationRole } from "../domain/caller.js";
import { toRedirectTarget } from "../domain/oauth/redirect-uris.js";

export const roleWords: Record<OrganizationRole, string> = {
  owner: "Owner",
  admin: "Admin",
  member: "Member",
};

/** What a scope lets an app do, as the end of "It may …". */
export const scopeWords: Record<Scope, string> = {
  mcp_read: "Read",
  mcp_write: "Add and change",
  mcp_destructive: "Delete permanently",
};

/** Where an app brings a person back to, which is all that is known of who it really is. */
export function describeRedirect(uri: string): string {
  const { name, kind } = toRedirectTarget(uri);
  if (kind === "website") return `returns to ${name}`;
  return kind === "loopback" ? "an app on your computer" : `an app that opens ${name} links`;
}

/** "Today 14:20", "Yesterday 09:05", "12 Nov 2026", in a time zone. */
export function describeMoment(at: Date, timeZone: string, now = new Date()): string {
  const day = new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone });
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(at);
  if (day.format(at) === day.format(now)) return `Today ${time}`;
  const yesterday = new Date(now.getTime() - 24 * 60 * 60_000);
  if (day.format(at) === day.format(yesterday)) return `Yesterday ${time}`;
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone,
  }).format(at);
}

/** The whole of it, for the `title` of a time. */
export function describeMomentInFull(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "full",
    timeStyle: "short",
    timeZone,
  });
  return `${format.format(at)} (${timeZone})`;
}
