import type { Scope } from "fettle-shared";
import { addDays, daysBetween } from "../../domain/values/dates.js";
import { toRedirectTarget } from "../../domain/oauth/redirect-uris.js";

/** What a scope lets an app do, as the end of "It may …". */
export const scopeLabels: Record<Scope, string> = {
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

/** "today", "tomorrow", "in 3 days", "5 days ago"; what is further away is a date. */
export function describeDay(day: string, today: string): string {
  const days = daysBetween(today, day);
  if (Math.abs(days) > 13) return formatDay(day);
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(days, "day");
}

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** A calendar day as a date: "12 Nov 2026". */
export function formatDay(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}

const weekdayFormat = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});

/** A calendar day of about now: "Saturday 21 November". */
export function formatWeekday(day: string): string {
  return weekdayFormat.format(new Date(`${day}T00:00:00Z`)).replace(",", "");
}

/** The last of the seven days that begin today. */
export function lastDayOfWeek(today: string): string {
  return addDays(today, 6);
}

/** An amount with its currency: "€1,249.90". */
export function formatMoney(amount: number, currency: string | null): string {
  if (currency === null) return formatNumber(amount);
  return new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount);
}

/** "1,234" */
export function formatNumber(value: number): string {
  return value.toLocaleString("en-GB");
}

/** "45 min", "2 h 30 min" */
export function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${formatNumber(hours)} h` : `${formatNumber(hours)} h ${rest} min`;
}

/** "Main Facility, Workshop and Annex" */
export function listOf(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB").format(names);
}

/** "a member", "an admin" */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** "1 task", "3 tasks", "1,200 tasks" */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** "640 KB", "2.4 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
