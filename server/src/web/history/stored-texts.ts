import type { RepeatUnit, WeekdayOfMonth } from "../../db/entities/tasks.js";
import { describeRule } from "../../domain/tasks/task-plans.js";
import { formatUsage } from "../../domain/shared/usage.js";
import { t } from "../../language/translate.js";
import { describeRepetition } from "../tasks/describe-task.js";

/**
 * Translates a recurrence rule, stored in histories as "every 3 months after completion until
 * 2027-06-30".
 */
export function retellRule(kept: string): string {
  const rule = readRule(kept);
  return describeRule(rule) === kept ? describeRepetition(rule) : kept;
}

function readRule(kept: string): Parameters<typeof describeRule>[0] {
  const find = (pattern: RegExp) => pattern.exec(kept)?.[1] ?? null;
  const unit = find(/^every (?:\d+ )?(day|week|month|year)/) as RepeatUnit | null;
  const meter = find(/every [\d,.]+ \S.*? \((.*)\)/);
  return {
    every: unit === null ? null : Number(find(/^every (\d+) /) ?? 1),
    unit,
    on_weekday: (find(/ on the (\w+ \w+)/)?.toLowerCase() ?? null) as WeekdayOfMonth | null,
    meter,
    meter_id: meter,
    meter_unit: find(/every [\d,.]+ (\S.*?) \(/),
    every_usage: meter === null ? null : readNumber(find(/every ([\d,.]+) \S.*? \(/) ?? ""),
    anchor: kept.includes(" after completion") ? "completion_date" : "due_date",
    anchor_day: null,
    ends_on: find(/ until (\S+)$/),
  };
}

const keptUsage = /^(-?[\d,]+(?:\.\d+)?) (.+?)( \(replaced\))?$/;

/** Translates a meter reading, stored in histories as "120,300 km". */
export function retellUsage(kept: string): string {
  const [, value, unit, replaced] = keptUsage.exec(kept) ?? [];
  if (value === undefined || unit === undefined) return kept;
  const usage = formatUsage(readNumber(value), unit);
  return replaced === undefined ? usage : t("{usage} (replaced)", { usage });
}

const reported = /^(Problem reported|Also reported): (.*)$/s;
const reached = /^(.+) reached ([\d,.]+ .+)\.$/;

/** True if the note quotes a report, which anyone at a label may have written. */
export function isOfReport(note: string): boolean {
  return reported.test(note);
}

/** Translates Fettle's own notes. Returns other notes unchanged. */
export function retellNote({ note, source }: { note: string; source: string }): string {
  const [, how, description = ""] = reported.exec(note) ?? [];
  if (how === "Problem reported") return t("Problem reported: {description}", { description });
  if (how !== undefined) return t("Also reported: {description}", { description });
  const [, meter, usage] = (source === "system" && reached.exec(note)) || [];
  if (meter === undefined || usage === undefined) return note;
  return t("{meter} reached {usage}.", { meter, usage: retellUsage(usage) });
}

function readNumber(english: string): number {
  return Number(english.replaceAll(",", ""));
}
