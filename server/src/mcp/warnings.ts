import { wordWarning, type Warning, type WarningTexts } from "../domain/shared/warnings.js";

const texts: WarningTexts = {
  state_is_so: ({ state, note, reason }) =>
    `Nothing changed: the asset is already ${state}.${note ? " The note was not saved; use update_asset with note." : ""}${reason ? " The reason was not changed; restore the asset and retire it again with the right one." : ""}`,
  overdue_already: ({ due, today }) =>
    `The task is already overdue: due_date ${due} is before today, ${today}.`,
  series_moved: ({ dues }) =>
    `Later tasks of the recurrence moved too. The next are due on ${dues.join(", ")}.`,
  asset_still_down: () =>
    'The asset is still out of service. If it can be used again, use update_asset_state with state "in_use".',
  downtime_from_next_start: () =>
    "The work has already started, so the asset keeps its state. requires_downtime applies from the next start.",
  cancelled_with_record: ({ fields }) =>
    `A cancelled task counts as not done, but ${fields.join(", ")} ${fields.length === 1 ? "was" : "were"} saved. If the work was done, reopen the task with state "scheduled", then set state "completed".`,
  hold_unexplained: () =>
    "The hold has no reason. Ask why the work is on hold, e.g. which part it waits for, and pass the answer with update_maintenance_task as comment.",
  task_is_so: ({ state, note }) =>
    `Nothing changed: the task is already ${state}.${note ? " The note was saved." : ""}`,
  values_are_so: ({ kind, note }) =>
    `Nothing changed: the ${kind} already has these values.${note ? " The note was saved." : ""}`,
};

const mostNamed = 5;

/** Also warns about fields without a value: a caller who sends null often means to clear them. */
export function withIgnored<Answer extends object>(
  answer: Answer,
  fields: readonly string[],
): Answer {
  const [first] = fields;
  if (first === undefined) return answer;
  const { warnings = [] } = answer as { warnings?: readonly string[] };
  const more = fields.length - mostNamed;
  const names = `${fields.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const warning = `Not changed, because no value was given: ${names}. To empty a field, use clear_fields, e.g. ["${first}"].`;
  return { ...answer, warnings: [...warnings, warning] };
}

export function withWarnings<Answer extends { warnings: readonly Warning[] }>(
  answer: Answer,
): Omit<Answer, "warnings"> & { warnings: string[] } {
  return { ...answer, warnings: answer.warnings.map((warning) => wordWarning(texts, warning)) };
}
