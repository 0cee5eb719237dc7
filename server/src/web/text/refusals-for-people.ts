import type { TaskState } from "../../db/entities/maintenance-task.js";
import { commonTexts } from "../../domain/refusals/common-texts.js";
import {
  wordRefusal,
  type LatestChange,
  type NumberFor,
  type NumberHolder,
  type RefusedItem,
  type RefusalTexts,
} from "../../domain/refusals/refusals.js";
import { wordWarning, type Warning, type WarningTexts } from "../../domain/refusals/warnings.js";
import { describeAgo } from "../../domain/values/dates.js";
import { idKindOf } from "../../domain/values/ids.js";
import { anyOf, nameAsset, quote } from "../../domain/values/quote.js";
import { toFieldLabel } from "./field-labels.js";
import { describeMoment, formatDay } from "./format.js";
import { assetStateLabels, taskStateLabels } from "./value-labels.js";

/** A refusal for a person: what fields are called above their inputs, and what to do on the page. */
export function describeRefusalForPeople(error: RefusedItem["error"]): string {
  const text = wordRefusal(texts, error, nameField);
  // An address is written as it is, also where it comes first.
  return /^\S+@/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** `“Purchase cost”`; of a field within another one only the inner. */
function nameField(field: string): string {
  return `“${toFieldLabel(field.slice(field.indexOf(".") + 1))}”`;
}

const restoreFirst = "Restore it before you change it.";

const insteadOfNumber: Record<NumberFor, string> = {
  "new asset": "Leave it empty to get the next free one.",
  "present asset": "Choose another one.",
};

const textsForPeople: Omit<RefusalTexts, keyof typeof commonTexts> & Partial<RefusalTexts> = {
  nothing_to_change: "There is nothing to change.",
  set_and_cleared: ({ field }) => `${field} cannot have a value and be empty at the same time.`,
  version_ahead: describeLatest(undefined),
  changed_since: ({ changed }) => describeLatest(changed),
  request_key_reused:
    "This form was sent before, and what it asked for was created then. To create another one, send it once more.",
  some_refused: ({ of, refused }) =>
    `Nothing was changed, because ${refused.length} of ${of} cannot be. ${refused.map(({ name, error }) => `${name}: ${describeRefusalForPeople(error)}`).join(" ")}`,
  foreign_cursor:
    "The page that the address names does not belong to this list. Start again from the first page.",

  wrong_kind_of_id: ({ field, reference, kind }) =>
    `${field}: ${quote(reference)} is not ${kind === "asset" ? "an asset" : `a ${kind === "user" ? "person" : kind}`}.`,
  none_placeholder: ({ field }) => `${field}: leave it empty for none.`,
  asset_not_found: ({ reference, isTaskNumber, nearest }) =>
    `No asset that you see has ${isTaskNumber ? `the number ${quote(reference)}, which looks like the number of a task` : "this number"}.${nearest.length === 0 ? "" : ` The nearest: ${nearest.map(nameAsset).join(", ")}.`}`,
  task_not_found: ({ reference, isInventoryNumber }) =>
    `There is no task ${quote(reference)} that you see.${isInventoryNumber ? " It looks like the number of an asset." : ""} It may also be in a workspace that you do not belong to, or have been permanently deleted.`,
  workspace_not_found: "This workspace is not there any more. Choose another one.",
  person_not_found: ({ reference, nearest }) => {
    if (idKindOf(reference) === "user") {
      return "This person cannot be chosen any more. Choose another one.";
    }
    const near = nearest.map(({ name }) => quote(name));
    return `Nobody is called ${quote(reference)}.${near.length === 0 ? "" : ` Near: ${near.join(", ")}.`}`;
  },
  invite_not_found: "There is no such invitation. It may also be one that you cannot see.",
  workspace_missing: "Choose a workspace.",
  assignee_cannot_see: ({ field, name, workspace }) =>
    `${field}: ${quote(name)} cannot see the workspace ${quote(workspace.name)}. Choose someone who belongs to it, or let a workspace admin invite them first.`,
  unknown_history_field: ({ field, value }) =>
    `${field} ${quote(value)} is not one that histories tell about.`,

  asset_retired: `This asset is retired. ${restoreFirst}`,
  only_restored: `This asset is retired. ${restoreFirst}`,
  retired_without_new_tasks:
    "This asset is retired and gets no new tasks. Restore it first, or choose another one.",
  task_of_retired:
    "The asset of this task is retired. Restore the asset before you change its tasks.",
  retired_without_labels: ({ names }) =>
    `${anyOf(names.map(quote))} ${names.length === 1 ? "is" : "are"} retired, and retired assets get no labels. Restore them first.`,
  reason_without_deletion: ({ field }) => `${field} is only for an asset that is retired.`,
  before_last_change: ({ field, at, timeZone }) =>
    `${field} lies before the last change of state, ${describeInstant(at, timeZone)}.`,
  wrong_confirmation:
    "This is not the inventory number of the asset, so nothing was deleted. Type it exactly as it stands above.",
  number_like_id: ({ number, whose }) =>
    `${quote(number)} cannot be an inventory number. ${insteadOfNumber[whose]}`,
  numbers_exhausted:
    "The next inventory numbers are all taken. Try again, or let an admin enter a number.",
  number_taken: ({ holder, whose }) =>
    `Inventory number has already been taken${nameHolder(holder)} ${insteadOfNumber[whose]}`,
  workspace_name_taken: ({ holder }) =>
    `Workspace name has already been taken (by ${holder === undefined ? "a workspace you cannot see" : quote(holder.name)}). Choose another name${holder === undefined ? "" : ", or use that workspace"}.`,
  workspace_not_empty: "This workspace is not empty.",

  task_without_site: "Choose an asset or a workspace.",
  due_date_of_repetition: ({ field }) =>
    `${field} cannot be emptied while the task repeats. To end that, tick “Stop repeating”.`,
  overdue_is_computed: "A task is overdue when its due date has passed. Choose another state.",
  state_unreachable: ({ present, next, asked }) =>
    `The task is ${nameState(present)} and can only become ${anyOf(next.map(nameState))}, which reopens it; it cannot become ${nameState(asked)}.`,
  only_when_completed: ({ field }) => `${field} is only for a task that is completed.`,
  work_has_begun: ({ state }) =>
    `Only work that has not begun goes to another asset, and this is ${nameState(state)}. Add a task to the other asset instead.`,
  repetition_of_finished: ({ state }) =>
    `The task is ${nameState(state)}. Change the repetition on its open occurrence.`,
  workspace_of_asset_task: "This task is always where its asset is. Move the asset instead.",

  only_for_sheets: ({ field }) => `${field} is only for sheets of labels.`,
  too_many_skipped: ({ field, most }) => `${field} must be less than ${most}.`,

  removed_from_what: "Choose a workspace, or the whole organization.",
  sees_every_workspace: ({ name, role, workspace }) =>
    `${quote(name)} is an ${role} of the organization and has access to every workspace without belonging to ${quote(workspace)}.`,
  member_already: ({ email }) =>
    `${email} is already a member of the organization. To add them to a workspace, choose it here, and the role of a member in the organization.`,
  too_many_mails: (given) => `Too many requests: ${commonTexts.too_many_mails(given)}`,
  pending_invite: "This person has an open invitation to the same place already.",
  invite_accepted: ({ email }) =>
    `The invitation of ${email} was accepted already. To end the person's access, remove them under Members.`,
  invite_ended: ({ email, how }) =>
    `The invitation of ${email} was ${how === "accepted" ? how : "withdrawn"}. Invite them again with a new one.`,
  invite_replaced: ({ email }) =>
    `A newer invitation of ${email} took the place of this one. Send that one again instead.`,
  role_without_workspace: "Choose the workspace that the role is for.",
};

const texts: RefusalTexts = { ...commonTexts, ...textsForPeople };

const warningTexts: WarningTexts = {
  state_is_so: ({ state, note, reason }) =>
    `Nothing changed: the asset is already ${assetStateLabels[state].toLowerCase()}.${note ? " The note was not kept; enter it when you edit the asset." : ""}${reason ? " The reason was not changed; restore the asset and retire it again with the right one." : ""}`,
  overdue_already: ({ due }) => `The task is already overdue: it was due on ${formatDay(due)}.`,
  asset_still_down: () =>
    "The asset is still out of service. If it can be used again, change its state.",
  downtime_from_next_start: () =>
    `The work runs already, so the asset stays as it is: ${nameField("requires_downtime")} counts from the next start.`,
  task_is_so: ({ state, note }) =>
    `Nothing changed: the task is already ${nameState(state)}.${note ? " The note was kept." : ""}`,
  values_are_so: ({ kind, note }) =>
    `Nothing changed: the ${kind} has these values already.${note ? " The note was kept." : ""}`,
};

/** What happened, followed by what a change was made in spite of. */
export function withWarnings(sentence: string, warnings: readonly Warning[]): string {
  return [sentence, ...warnings.map(describeWarning)].join(" ");
}

export function describeWarning(warning: Warning): string {
  return wordWarning(warningTexts, warning);
}

function nameState(state: TaskState): string {
  return taskStateLabels[state].toLowerCase();
}

function describeLatest(latest: LatestChange | undefined): string {
  const who = latest === undefined ? "Somebody" : latest.by;
  const what = new Set(latest?.fields.map(nameField));
  const when = latest === undefined ? "" : ` ${describeAgo(new Date(latest.at))} ago`;
  return `${who} changed ${what.size === 0 ? "this" : [...what].join(", ")}${when}, after you opened this form. Nothing of yours is saved yet. Look at what is there now, then save again if your values should take its place.`;
}

function nameHolder(holder: NumberHolder): string {
  if (typeof holder === "object") return ` (by ${quote(holder.name)}).`;
  if (holder === "hidden") return " (by an asset you cannot see).";
  return holder === "renumbered"
    ? ". An asset had it before its number was changed, and it is never reused."
    : ". It belonged to a permanently deleted asset and is never reused.";
}

/** As the clocks of the organization show it, always with the time. */
function describeInstant(at: Date, timeZone: string): string {
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(at);
  const words = describeMoment(at, timeZone);
  return words.endsWith(clock) ? words.toLowerCase() : `${words}, ${clock}`;
}
