import { wordWarning, type Warning, type WarningTexts } from "../domain/refusals/warnings.js";

const texts: WarningTexts = {
  state_is_so: ({ state, note, reason }) =>
    `Nothing changed: the asset is already ${state}.${note ? " The note was not kept; use update_asset for it." : ""}${reason ? " The reason was not changed; restore the asset and retire it again with the right one." : ""}`,
  overdue_already: ({ due, today }) =>
    `The task is already overdue: due_date ${due} lies before today, ${today}.`,
  downtime_from_next_start: () =>
    "The work runs already, so the asset stays as it is: requires_downtime counts from the next start.",
  task_is_so: ({ state, note }) =>
    `Nothing changed: ${state === undefined ? "the task has these values already" : `the task is already ${state}`}.${note ? " The note was kept." : ""}`,
};

/** An answer with its warnings worded for assistants. */
export function withWarnings<Answer extends { warnings: readonly Warning[] }>(
  answer: Answer,
): Omit<Answer, "warnings"> & { warnings: string[] } {
  return { ...answer, warnings: answer.warnings.map((warning) => wordWarning(texts, warning)) };
}
