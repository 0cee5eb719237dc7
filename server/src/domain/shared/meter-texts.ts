import { t } from "../../language/translate.js";
import { quote } from "./quote.js";
import type { OfField } from "./account-texts.js";

export const meterTexts = {
  negative: ({ field }: OfField) => t("{field} must not be negative.", { field }),
  too_many_meters: ({ max }: { max: number }) =>
    t("an asset can have at most {max} meters.", { max }),
  meter_name_taken: ({ name }: { name: string }) =>
    t("the asset already has a meter {name}.", { name: quote(name) }),
  meter_unknown: ({ name, names }: { name: string; names: readonly string[] }) =>
    names.length === 0
      ? t("the asset has no meter {name}. Readings in km, mi, h or cycles create a new one.", {
          name: quote(name),
        })
      : t(
          "the asset has no meter {name}, only {names}. Readings in km, mi, h or cycles create a new one.",
          { name: quote(name), names: names.join(", ") },
        ),
  meter_ambiguous: ({ unit, names }: { unit: string; names: readonly string[] }) =>
    t("several meters count {unit}: use one of {names}.", { unit, names: names.join(", ") }),
  meter_not_named: ({ names }: { names: readonly string[] }) =>
    names.length === 0
      ? t("the asset has no meter yet. Record a reading first.")
      : t("choose a meter: {names}.", { names: names.join(", ") }),
  meter_of_place: "a task without an asset can't have a meter.",
  not_positive: ({ field }: OfField) => t("{field} must be more than 0.", { field }),
  usage_reached: ({ field, name, present }: OfField & { name: string; present: string }) =>
    t("{field} is below the current reading of {name}, {present}. Enter a higher one.", {
      field,
      name,
      present,
    }),
  meter_not_there: ({ name }: { name: string }) =>
    t(
      "the work repeats by the meter {name}, which the other asset doesn't have. Add it there, or change the recurrence first.",
      { name: quote(name) },
    ),
  meter_elsewhere:
    "the meter used for its recurrence isn't on this asset. Set the recurrence again if you need it.",
  meter_in_use: ({ name, tasks }: { name: string; tasks: readonly string[] }) =>
    t("open work is due by {name}: {tasks}. Finish it or change its recurrence first.", {
      name: quote(name),
      tasks: tasks.join(", "),
    }),
  meters_not_undone: "meters that moved to another asset stay there.",
  reading_not_undone: ({ name }: { name: string }) =>
    t("{name} was replaced or moved since. Record the correct reading instead.", { name }),
  no_such_meter: "we can't find that meter. It may already have been removed.",
  replaced_before_last: ({ field }: OfField) =>
    t("{field} is before the last reading. A meter can only be replaced after its last reading.", {
      field,
    }),
};

export const meterWarnings = {
  meter_added: ({ name, unit }: { name: string; unit: string }) =>
    t("Meter added: {name}, in {unit}.", { name: quote(name), unit }),
  reading_lower: ({ name, before }: { name: string; before: string }) =>
    t(
      "{name} was higher before, {before}. The lower reading is saved as a correction. Check it. If the meter was replaced, record that on the asset's page.",
      { name, before },
    ),
  reading_high: ({ name, more, usual }: { name: string; more: string; usual: string }) =>
    t("{name} is {more} higher than before, much more than the usual {usual} a day. Check it.", {
      name,
      more,
      usual,
    }),
  reading_over_day: ({ name, more }: { name: string; more: string }) =>
    t("{name} is {more} higher than before, more than 24 h a day. Check it.", { name, more }),
  reading_between: ({ name, present, isOutOfLine }: ReadingBetween) =>
    [
      t("{name} has a later reading, so it still shows {present}.", { name, present }),
      ...(isOutOfLine
        ? [t("The reading isn't between the readings before and after it. Check it.")]
        : []),
    ].join(" "),
  due_by_usage: ({ task_number, name, reached }: DueByUsage) =>
    t("{task_number} is due now: {name} reached {reached}.", { task_number, name, reached }),
};

export interface ReadingBetween {
  name: string;
  present: string;
  isOutOfLine: boolean;
}

export interface DueByUsage {
  task_number: string;
  name: string;
  reached: string;
}
