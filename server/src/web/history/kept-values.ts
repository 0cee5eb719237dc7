import type { RepeatUnit, WeekdayOfMonth } from "../../db/entities/maintenance-plan.js";
import type { ShownEvent } from "../../domain/events/event-rows.js";
import { describeRecurrence } from "../../domain/tasks/task-answers.js";
import { formatUsage } from "../../domain/values/usage.js";
import { t } from "../../language/translate.js";
import { formatDay } from "../text/format.js";
import { toValueLabel } from "../text/value-labels.js";

/** Histories keep these values as English texts, which are taken apart and told anew. */
const keptUsage = /^(-?[\d,]+(?:\.\d+)?) (\S.*?)( \(replaced\))?$/;

const keptRule =
  /^(?:every (?:(\d+) )?(day|week|month|year)s?(?: on the (\w+ \w+))?)?(?:(?: or )?every ([\d,.]+) (\S+) \((.*?)\))?( after completion)?(?: until (\d{4}-\d\d-\d\d))?$/;

/** A text that a field had or has, for the reader. */
export function toTextOfReader(field: string, value: string): string {
  if (field === "recurrence") return toRuleOfReader(value);
  const isUsage = field === "due_usage" || field.startsWith("meter: ");
  return isUsage ? toUsageOfReader(value) : toValueLabel(field, value);
}

/** "120,500.5 km", as who reads it now writes numbers. */
function toUsageOfReader(kept: string): string {
  const [, number = "", unit, replaced] = keptUsage.exec(kept) ?? [];
  if (unit === undefined) return kept;
  const usage = formatUsage(Number(number.replaceAll(",", "")), unit);
  return replaced === undefined ? usage : `${usage} (${t("new meter")})`;
}

/** "every 3 months on the first Monday after completion until 2027-06-30", in the words of the reader. */
function toRuleOfReader(kept: string): string {
  const parts = keptRule.exec(kept);
  const interval = parts === null ? null : describeParts(parts);
  if (interval === null) return kept;
  const [, , , , , , , after, endsOn] = parts ?? [];
  const rhythm =
    after === undefined
      ? interval
      : t("{interval}, counted from the day the work was done", { interval });
  if (endsOn === undefined) return rhythm;
  return t("{repetition}, last due {day}", { repetition: rhythm, day: formatDay(endsOn) });
}

function describeParts([, every, unit, weekday, usage, meterUnit, meter]: RegExpExecArray) {
  return describeRecurrence({
    every: unit === undefined ? null : Number(every ?? 1),
    unit: (unit as RepeatUnit | undefined) ?? null,
    on_weekday: (weekday?.toLowerCase() as WeekdayOfMonth | undefined) ?? null,
    every_usage: usage === undefined ? null : Number(usage.replaceAll(",", "")),
    meter: meter ?? null,
    meter_unit: meterUnit ?? null,
    plan_active: true,
  });
}

const keptNotes = [
  [/^Problem reported: (.*)$/s, "Problem reported: {text}"],
  [/^Reported as well: (.*)$/s, "Reported as well: {text}"],
] as const;

/** A note of ours around what somebody wrote; any other one as it is. */
export function toNoteOfReader(
  { type, source }: Pick<ShownEvent, "type" | "source">,
  note: string,
) {
  const [, name, usage = ""] = /^(.*) reached (\S+ \S+)\.$/s.exec(note) ?? [];
  if (source === "system" && name !== undefined) {
    return t("{name} reached {usage}.", { name, usage: toUsageOfReader(usage) });
  }
  for (const [kept, text] of type === "note_added" ? keptNotes : []) {
    const [, words] = kept.exec(note) ?? [];
    if (words !== undefined) return t(text, { text: words });
  }
  return note;
}
