import { t } from "../../language/translate.js";
import { quote } from "./quote.js";
import type { OfField } from "./account-texts.js";

/** What refusals about meters say to every reader. */
export const meterTexts = {
  negative: ({ field }: OfField) => t("{field} must not be negative.", { field }),
  too_many_meters: ({ max }: { max: number }) => t("an asset has at most {max} meters.", { max }),
  meter_name_taken: ({ name }: { name: string }) =>
    t("the asset has a meter {name} already.", { name: quote(name) }),
  meter_unknown: ({ name, names }: { name: string; names: readonly string[] }) =>
    names.length === 0
      ? t(
          "the asset has no meter {name}. A new one is made for a reading in km, mi, h or cycles.",
          { name: quote(name) },
        )
      : t(
          "the asset has no meter {name}, but {names}. A new one is made for a reading in km, mi, h or cycles.",
          { name: quote(name), names: names.join(", ") },
        ),
  meter_ambiguous: ({ unit, names }: { unit: string; names: readonly string[] }) =>
    t("more than one meter counts {unit}: name one of {names}.", { unit, names: names.join(", ") }),
  meter_not_named: ({ names }: { names: readonly string[] }) =>
    names.length === 0
      ? t("the asset has no meter yet. Record a reading first.")
      : t("name the meter, one of {names}.", { names: names.join(", ") }),
  meter_of_place: "work on a place without an asset has no meter.",
  not_positive: ({ field }: OfField) => t("{field} must be more than 0.", { field }),
  usage_reached: ({ field, name, present }: OfField & { name: string; present: string }) =>
    t("{field} lies below what {name} shows, {present}. Give a later one.", {
      field,
      name,
      present,
    }),
  meter_not_there: ({ name }: { name: string }) =>
    t(
      "the work repeats by the meter {name}, which the other asset does not have. Add it there, or change the repetition first.",
      { name: quote(name) },
    ),
  meter_elsewhere:
    "the meter that it counts by isn't on this asset. Set the repetition again if you need it.",
  meter_in_use: ({ name, tasks }: { name: string; tasks: readonly string[] }) =>
    t("open work is due by {name}: {tasks}. Finish it, or change how it repeats, first.", {
      name: quote(name),
      tasks: tasks.join(", "),
    }),
  meters_not_undone: "meters and readings are not undone. Record the right reading instead.",
  no_such_meter: "there is no such meter. It may be removed already.",
  replaced_before_last: ({ field }: OfField) =>
    t("{field} lies before the last reading: a meter is replaced now, or after that.", { field }),
};

/** What warnings about meters say to every reader. */
export const meterWarnings = {
  meter_added: ({ name, unit }: { name: string; unit: string }) =>
    t("A meter was added: {name}, in {unit}.", { name: quote(name), unit }),
  reading_lower: ({ name, before }: { name: string; before: string }) =>
    t(
      "{name} showed more before, {before}: the lower reading is taken as its correction. Check it. If the meter was replaced, record the reading on the page of the asset and say so.",
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
      t("{name} was read later than this, so it still shows {present}.", { name, present }),
      ...(isOutOfLine
        ? [t("The reading does not lie between those before and after it. Check it.")]
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
