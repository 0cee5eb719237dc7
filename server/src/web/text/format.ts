import type { Scope } from "fettle-shared";
import { addDays, daysBetween } from "../../domain/shared/dates.js";
import { toRedirectTarget } from "../../domain/oauth/redirect-uris.js";
import { dateFormat, listFormat, numberFormat, relativeFormat } from "../../language/formats.js";
import { currentLocale, currentTimeZone } from "../../language/locale.js";
import { t, translated } from "../../language/translate.js";

/** The permission that a scope gives an app, as the end of "It may …". */
export const scopeLabels: Record<Scope, string> = translated({
  mcp_read: "Read||a permission of an app",
  mcp_write: "Add and change||a permission of an app",
  mcp_destructive: "Delete permanently||a permission of an app",
});

/** The target of an app's redirect, which is all that is known about its real identity. */
export function describeRedirect(uri: string): string {
  const { name, kind } = toRedirectTarget(uri);
  if (kind === "website") return t("returns to {name}", { name });
  return kind === "loopback"
    ? t("an app on your computer")
    : t("an app that opens {name} links", { name });
}

/** "State:" before a value; French has a space before the colon. */
export function withColon(label: string): string {
  return t("{label}:", { label });
}

interface MomentOptions {
  now?: Date;
  isInline?: boolean;
  /** The fallback if the reader has no time zone and views no organization. */
  timeZone?: string | undefined;
}

/** "Today 14:20", "Yesterday 09:05", "12 Nov 2026". Within a sentence, "today 14:20". */
export function describeMoment(
  at: Date,
  { now = new Date(), isInline = false, timeZone: otherwise }: MomentOptions = {},
): string {
  const timeZone = currentTimeZone(otherwise);
  const dayOf = (moment: Date) => dateFormat({ dateStyle: "short", timeZone }).format(moment);
  const time = describeTime(at, otherwise);
  if (dayOf(at) === dayOf(now)) return t(isInline ? "today {time}" : "Today {time}", { time });
  const yesterday = new Date(now.getTime() - 24 * 60 * 60_000);
  if (dayOf(at) === dayOf(yesterday)) {
    return t(isInline ? "yesterday {time}" : "Yesterday {time}", { time });
  }
  return dateFormat({ ...dayStyle, timeZone }).format(at);
}

/** "14:20" */
export function describeTime(at: Date, otherwise?: string): string {
  const timeZone = currentTimeZone(otherwise);
  return dateFormat({ timeStyle: "short", timeZone }).format(at);
}

/** The complete date and time, for the `title` of a time. */
export function describeMomentInFull(at: Date, otherwise?: string): string {
  const timeZone = currentTimeZone(otherwise);
  const words = dateFormat({ dateStyle: "full", timeStyle: "short", timeZone }).format(at);
  return `${words} (${timeZone})`;
}

/** The time zone of displayed and entered times: "Europe/Berlin". */
export function describeZone(): string {
  return toZoneLabel(currentTimeZone());
}

export function toZoneLabel(zone: string): string {
  return zone.replaceAll("_", " ");
}

/** "today", "tomorrow", "in 3 days", "5 days ago". A more distant day is a date. */
export function describeDay(day: string, today: string): string {
  const days = daysBetween(today, day);
  if (Math.abs(days) > 13) return formatDay(day);
  return describeDays(days);
}

/** "in 3 days", "5 days ago", for a number of days from today. */
export function describeDays(days: number): string {
  return relativeFormat({ numeric: "auto" }).format(days, "day");
}

/** "26 days overdue", the one way to say that open work is late. */
export function describeLate(days: number): string {
  return t("{count, plural, one {# day} other {# days}} overdue", { count: days });
}

const dayStyle = { day: "numeric", month: "short", year: "numeric" } as const;

/** A calendar day as a date: "12 Nov 2026". */
export function formatDay(day: string): string {
  return dateFormat({ ...dayStyle, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

/** A calendar day near today: "Saturday 21 November". */
export function formatWeekday(day: string): string {
  const style = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" } as const;
  const words = dateFormat(style).format(new Date(`${day}T00:00:00Z`));
  return currentLocale() === "en-GB" ? words.replace(",", "") : words;
}

/** The last of the seven days that begin today. */
export function lastDayOfWeek(today: string): string {
  return addDays(today, 6);
}

/** An amount with its currency: "€1,249.90". */
export function formatMoney(amount: number, currency: string | null): string {
  if (currency === null) return formatNumber(amount);
  return numberFormat({ style: "currency", currency }).format(amount);
}

/** For headlines: "€15,834", or "€12.50" for small amounts. */
export function formatRoundMoney(amount: number, currency: string): string {
  if (Math.abs(amount) < 100) return formatMoney(amount, currency);
  return numberFormat({ style: "currency", currency, maximumFractionDigits: 0 }).format(amount);
}

/** For headlines: 728 for 727.8, 3.2 for 3.18. */
export function roundFigure(value: number): number {
  return Math.abs(value) < 100 ? Math.round(value * 10) / 10 : Math.round(value);
}

/** "1,234" */
export function formatNumber(value: number): string {
  return numberFormat({}).format(value);
}

/** For headlines and charts: "18 h" for 17.6 hours. */
export function formatHours(hours: number): string {
  return t("{hours} h", { hours: formatNumber(Math.round(hours)) });
}

/** A share of 100, such as "54.4%". */
export function formatPercent(share: number): string {
  return t("{number}%", { number: formatNumber(share) });
}

/** "45 min", "2 h 30 min" */
export function formatMinutes(minutes: number): string {
  const rest = minutes % 60;
  const hours = formatNumber(Math.floor(minutes / 60));
  if (minutes < 60) return t("{minutes} min", { minutes });
  if (rest === 0) return t("{hours} h", { hours });
  return t("{hours} h {minutes} min", { hours, minutes: rest });
}

/** "47.5 h" or "40 min", on one line. */
export function formatDecimalHours(minutes: number): string {
  const hours = numberFormat({ maximumFractionDigits: 1 }).format(minutes / 60);
  const text = minutes < 60 ? formatMinutes(minutes) : t("{hours} h", { hours });
  return text.replaceAll(" ", "\u00A0");
}

/** "Main Facility, Workshop and Annex" */
export function listOf(names: readonly string[]): string {
  return listFormat({}).format(names);
}

const counts = {
  asset: "{count, plural, one {# asset} other {# assets}}",
  browser: "{count, plural, one {# browser} other {# browsers}}",
  change: "{count, plural, one {# change} other {# changes}}",
  column: "{count, plural, one {# column} other {# columns}}",
  connection: "{count, plural, one {# connection} other {# connections}}",
  comment: "{count, plural, one {# comment} other {# comments}}",
  day: "{count, plural, one {# day} other {# days}}",
  entry: "{count, plural, one {# entry} other {# entries}}",
  event: "{count, plural, one {# event} other {# events}}",
  failure: "{count, plural, one {# failure} other {# failures}}",
  file: "{count, plural, one {# file} other {# files}}",
  hour: "{count, plural, one {# hour} other {# hours}}",
  invitation: "{count, plural, one {# invitation} other {# invitations}}",
  label: "{count, plural, one {# label} other {# labels}}",
  mail: "{count, plural, one {# email} other {# emails}}",
  member: "{count, plural, one {# member} other {# members}}",
  minute: "{count, plural, one {# minute} other {# minutes}}",
  month: "{count, plural, one {# month} other {# months}}",
  "open report": "{count, plural, one {# open report} other {# open reports}}",
  "open task": "{count, plural, one {# open task} other {# open tasks}}",
  page: "{count, plural, one {# page} other {# pages}}",
  person: "{count, plural, one {# person} other {# people}}",
  record: "{count, plural, one {# record} other {# records}}",
  repair: "{count, plural, one {# repair} other {# repairs}}",
  row: "{count, plural, one {# row} other {# rows}}",
  task: "{count, plural, one {# task} other {# tasks}}",
  time: "{count, plural, one {# time} other {# times}}",
  workspace: "{count, plural, one {# workspace} other {# workspaces}}",
  year: "{count, plural, one {# year} other {# years}}",
} as const;

/** Nouns that follow a number. Messages for sentences have their own plurals. */
export type Noun = keyof typeof counts;

/** "1 task", "3 tasks", "1,200 tasks" */
export function countOf(count: number, noun: Noun): string {
  return t(counts[noun], { count });
}

/** "640 KB", "2.4 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} KB`;
  const megabytes = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return `${megabytes.format(bytes / 1024 / 1024)} MB`;
}
