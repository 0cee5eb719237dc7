import type { Change } from "../../domain/history/record-events.js";
import type { ShownEvent } from "../../domain/history/event-rows.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { formatMeasure } from "../../domain/shared/step-texts.js";
import { t } from "../../language/translate.js";
import { toValueLabel } from "../text/value-labels.js";
import { retellRule, retellUsage } from "./stored-texts.js";
import {
  describeMoment,
  formatDay,
  formatMinutes,
  formatMoney,
  formatNumber,
} from "../text/format.js";

/** References are shown by the name field next to them. */
const nameFields: Partial<Record<string, string>> = {
  workspace_id: "workspace_name",
  parent_asset_id: "parent_asset",
  asset_id: "asset_name",
  merged_into_asset_id: "merged_into",
  assigned_to_user_id: "assigned_to",
  procedure_id: "procedure",
};

const named = new Set(["workspace_name", "parent_asset", "asset_name", "merged_into"]);

/** True if the field's names are hidden from people who can't see the referenced record. */
export function hasReference(field: string): boolean {
  return named.has(field);
}

/**
 * Omits changes without meaning for people: ids, a currency next to its amounts, the event's own
 * time.
 */
export function toShownChanges({ type, changes }: Pick<ShownEvent, "type" | "changes">): Change[] {
  const hasAmounts = changes.some(({ field }) => isAmount(field));
  return changes.filter(
    ({ field }) =>
      nameFields[field] === undefined &&
      !(field === "comment" && type === "note_added") &&
      !(field === "currency" && hasAmounts) &&
      !(field === "completed_at" && type === "task_completed"),
  );
}

export function currencyOf(changes: readonly Change[]): string | null {
  const change = changes.find(({ field }) => field === "currency");
  const currency = change?.to ?? change?.from;
  return typeof currency === "string" ? currency : null;
}

function isAmount(field: string): boolean {
  return field.endsWith("_cost");
}

const day = /^\d{4}-\d\d-\d\d$/;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** The end of a truncated text in the history. It makes two of them distinguishable. */
const hash = /… \(sha256 [0-9a-f]{64}\)$/;

export interface ValueStyle {
  now: Date;
  currency: string | null;
}

export function toChangedValue(field: string, value: unknown, style: ValueStyle): string {
  if (field === "checklist") return toStepNames(value);
  if (field.startsWith("step: ")) return toAnswer(value, style);
  if (Array.isArray(value)) {
    const all = value.map((one: unknown) => toChangedValue(field, one, style)).join(", ");
    return field === "checklist_done"
      ? t("{count, plural, one {step} other {steps}} {steps} done", {
          count: value.length,
          steps: all,
        })
      : all;
  }
  if (typeof value === "boolean") return value ? t("Yes") : t("No");
  if (typeof value === "number") return formatChangedNumber(field, value, style);
  return typeof value === "string" ? toChangedText(field, value, style) : JSON.stringify(value);
}

/** The labels. Of a truncated list, those that are left. */
function toStepNames(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const labels = [...text.matchAll(/"label":("(?:[^"\\]|\\.)*")/g)];
  const names = labels.map(([, label = ""]) => JSON.parse(label) as string).join(", ");
  return hash.test(text) ? `${names} …` : names;
}

function toAnswer(value: unknown, { now }: ValueStyle): string {
  if (typeof value === "number") return formatMeasure(value, null);
  const text = String(value);
  if (instant.test(text)) return describeMoment(new Date(text), { now });
  if (idKindOf(text) === "file") return t("Photo");
  if (text === "pass") return t("Pass");
  return text === "fail" ? t("Fail") : text.replace(hash, "…");
}

function toChangedText(field: string, value: string, style: ValueStyle): string {
  if (field.endsWith("_at") && instant.test(value)) {
    return describeMoment(new Date(value), { now: style.now });
  }
  if (field === "recurrence") return retellRule(value);
  if (field === "due_usage" || field.startsWith("meter: ")) return retellUsage(value);
  if (day.test(value)) return isDayField(field) ? formatDay(value) : value;
  return toValueLabel(field, value).replace(hash, "…");
}

function formatChangedNumber(field: string, value: number, { currency }: ValueStyle): string {
  if (field.endsWith("_minutes")) return formatMinutes(value);
  return isAmount(field) ? formatMoney(value, currency) : formatNumber(value);
}

function isDayField(field: string): boolean {
  return field.endsWith("_date") || field.endsWith("_on");
}
