import type { AssetState } from "../../db/entities/assets.js";
import type { TaskState } from "../../db/entities/tasks.js";
import { wordWarning, type Warning, type WarningTexts } from "../../domain/shared/warnings.js";
import { t, translated } from "../../language/translate.js";
import { toFieldLabel } from "./field-labels.js";
import { formatDay } from "./format.js";

const warningTexts: WarningTexts = {
  state_is_so: ({ state, note, reason }) =>
    [
      t("Nothing changed: the asset is already {state}.", { state: assetStateWords[state] }),
      ...(note ? [t("The note wasn't saved. Enter it when you edit the asset.")] : []),
      ...(reason
        ? [t("The reason wasn't changed. To change it, restore the asset and retire it again.")]
        : []),
    ].join(" "),
  overdue_already: ({ due }) =>
    t("The task is already overdue: it was due on {due}.", { due: formatDay(due) }),
  series_moved: ({ dues }) =>
    t("Later occurrences moved too. Next due: {days}.", { days: dues.map(formatDay).join(", ") }),
  asset_still_down: () =>
    t("The asset is still out of service. If it can be used again, change its state."),
  downtime_from_next_start: () =>
    t(
      "Work has already started, so the asset doesn't change. {field} applies from the next start.",
      {
        field: t("“{label}”", { label: toFieldLabel("requires_downtime") }),
      },
    ),
  cancelled_with_record: () =>
    t("The task is cancelled and counts as not done, but its work record was saved."),
  hold_unexplained: () => t("Add a comment that says why it's on hold."),
  task_is_so: ({ state, note }) =>
    withNoteKept(
      t("Nothing changed: the task is already {state}.", { state: taskStateWords[state] }),
      note,
    ),
  values_are_so: ({ kind, note }) =>
    withNoteKept(
      kind === "asset"
        ? t("Nothing changed: the asset already has these values.")
        : t("Nothing changed: the task already has these values."),
      note,
    ),
};

function withNoteKept(sentence: string, note: boolean): string {
  return note ? `${sentence} ${t("The note was saved.")}` : sentence;
}

/** A result, followed by the warnings of its change. Several warnings get a line each. */
export function withWarnings(sentence: string, warnings: readonly Warning[]): string {
  const separator = warnings.length > 1 ? "\n" : " ";
  return [sentence, ...warnings.map(describeWarning)].join(separator);
}

export function describeWarning(warning: Warning): string {
  return wordWarning(warningTexts, warning);
}

/** States within a sentence. */
export const taskStateWords: Record<TaskState, string> = translated({
  scheduled: "scheduled",
  in_progress: "in progress",
  on_hold: "on hold",
  completed: "completed",
  cancelled: "cancelled",
});

const assetStateWords: Record<AssetState, string> = translated({
  available: "available",
  in_use: "in use",
  in_maintenance: "in maintenance",
  out_of_service: "out of service",
  stored: "stored",
  deleted: "retired",
});
