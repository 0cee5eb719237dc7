import { commonTexts } from "../../domain/shared/common-texts.js";
import { actionOf, wordWhomToAsk } from "../../domain/shared/member-texts.js";
import {
  wordRefusal,
  type LatestChange,
  type NumberFor,
  type NumberHolder,
  type RefusedItem,
  type RefusalTexts,
} from "../../domain/shared/refusals.js";
import { describeAgo } from "../../domain/shared/dates.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { anyOf, nameAsset, quote } from "../../domain/shared/quote.js";
import { t, translated } from "../../language/translate.js";
import { toFieldLabel } from "./field-labels.js";
import { describeMoment, describeTime, formatDay, withColon } from "./format.js";
import { taskStateWords } from "./warnings-for-people.js";

/** A refusal for a person: with the labels of fields, and the next step on the page. */
export function describeRefusalForPeople(error: RefusedItem["error"]): string {
  const text = wordRefusal(texts, error, nameField);
  // An email address keeps its case, even at the beginning.
  return /^\S+@/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** `“Purchase cost”`. For a field within another one, only the inner one. */
function nameField(field: string): string {
  return t("“{label}”", { label: toFieldLabel(field.slice(field.indexOf(".") + 1)) });
}

/** Formats the days in a text as pages write them. */
function withDays<Given extends object>(word: (given: Given) => string): (given: Given) => string {
  const writeDay = ([name, value]: [string, unknown]) =>
    /^(?:day|otherDay|today)$/.test(name) ? [name, formatDay(String(value))] : [name, value];
  return (given) => word(Object.fromEntries(Object.entries(given).map(writeDay)) as Given);
}

const insteadOfNumber: Record<NumberFor, string> = translated({
  "new asset": "Leave blank to get the next free number.",
  "present asset": "Choose a different one.",
});

const textsForPeople: Omit<RefusalTexts, keyof typeof commonTexts> & Partial<RefusalTexts> = {
  role_too_low: (given) =>
    given.place !== undefined && given.present === "viewer"
      ? t("You can view {place} but not {action}. {ask}", {
          place: quote(given.place),
          action: actionOf(given),
          ask: wordWhomToAsk(given.ask),
        })
      : commonTexts.role_too_low(given),
  after_today: withDays(commonTexts.after_today),
  before_today: withDays(commonTexts.before_today),
  absent_already: withDays(commonTexts.absent_already),
  before_other_day: withDays(commonTexts.before_other_day),
  days_reversed: withDays(commonTexts.days_reversed),
  asset_deleted_for_good: withDays(commonTexts.asset_deleted_for_good),
  nothing_to_change: "No changes to make.",
  set_and_cleared: ({ field }) =>
    t("{field} can't have a value and be empty at the same time.", { field }),
  version_ahead: () => describeLatest(undefined),
  changed_since: ({ changed }) => describeLatest(changed),
  request_key_reused: "You already sent this form. To create another one, send it again.",
  some_refused: ({ of, refused }) =>
    [
      t("Nothing changed, because {refused} of {of} can't be changed.", {
        refused: refused.length,
        of,
      }),
      ...refused.map(({ name, error }) => `${withColon(name)} ${describeRefusalForPeople(error)}`),
    ].join(" "),
  foreign_cursor: "That page doesn't belong to this list. Start from the first page.",

  wrong_kind_of_id: ({ field, reference, kind }) =>
    t(ofOtherKind[kind], { field, reference: quote(reference) }),
  none_placeholder: ({ field }) => t("{field}: leave blank for none.", { field }),
  asset_not_found: ({ reference, isTaskNumber, nearest }) =>
    withNearest(
      isTaskNumber
        ? t("No asset you can see has the number {reference}. It looks like a task number.", {
            reference: quote(reference),
          })
        : t("No asset you can see has this number."),
      nearest.map(nameAsset),
    ),
  task_not_found: ({ reference, isInventoryNumber }) =>
    [
      t("We can't find task {reference}, or you don't have access to it.", {
        reference: quote(reference),
      }),
      ...(isInventoryNumber ? [t("That looks like an asset number.")] : []),
      t("It may be in a workspace you're not in, or have been permanently deleted."),
    ].join(" "),
  workspace_not_found: "This workspace no longer exists. Choose another one.",
  person_not_found: ({ reference, nearest, isInvited }) => {
    if (isInvited) {
      return t("{name} is invited and hasn't accepted yet.", { name: quote(reference) });
    }
    if (idKindOf(reference) === "user") {
      return t("You can no longer choose this person. Choose someone else.");
    }
    const near = nearest.map(({ name }) => quote(name)).join(", ");
    const nobody = t("No one is named {reference}.", { reference: quote(reference) });
    return near === "" ? nobody : `${nobody} ${t("Close matches: {near}.", { near })}`;
  },
  invite_not_found: "We can't find that invitation, or you don't have access to it.",
  invite_ambiguous: "This address has several open invitations. Choose one.",
  workspace_missing: "Choose a workspace.",
  assignee_cannot_see: ({ name, workspace }) =>
    t(
      "{name} can't see the workspace {workspace}. Choose someone else, or have an admin add them under Settings > Members.",
      { name: quote(name), workspace: quote(workspace.name) },
    ),
  unknown_history_field: ({ field, value }) =>
    t("{field} {value} isn't recorded in histories.", { field, value: quote(value) }),

  asset_retired: "This asset is retired. Restore it before you edit it.",
  only_restored: "This asset is retired. Restore it before you edit it.",
  retired_without_new_tasks:
    "This asset is retired, so it can't get new tasks. Restore it first, or choose another asset.",
  task_of_retired: "This task's asset is retired. Restore the asset before you edit its tasks.",
  retired_without_labels: ({ names }) =>
    names.length === 1
      ? t("{names} is retired, so it can't get a label. Restore it first.", {
          names: anyOf(names.map(quote)),
        })
      : t("{names} are retired, so they can't get labels. Restore them first.", {
          names: anyOf(names.map(quote)),
        }),
  reason_without_deletion: ({ field }) => t("{field} is only for retired assets.", { field }),
  before_last_change: ({ field, at }) =>
    t("{field} is before the last change of state, {at}.", {
      field,
      at: describeInstant(new Date(at)),
    }),
  wrong_confirmation:
    "That isn't the asset's inventory number, so nothing was deleted. Type it exactly as shown above.",
  number_like_id: ({ number, whose }) =>
    `${t("{number} can't be an inventory number.", { number: quote(number) })} ${insteadOfNumber[whose]}`,
  number_taken: ({ holder, whose }) => `${nameHolder(holder)} ${insteadOfNumber[whose]}`,
  workspace_name_taken: ({ holder }) =>
    holder === undefined
      ? t(
          "Workspace name has already been taken (by a workspace you can't see). Choose another name.",
        )
      : t(
          "Workspace name has already been taken (by {name}). Choose another name, or use that workspace.",
          { name: quote(holder.name) },
        ),
  workspace_not_empty: "This workspace isn't empty.",

  task_without_site: "Choose an asset or a workspace.",
  not_on_weekday: ({ day, before, after }) =>
    t("{day} isn't on the weekday of the recurrence. Use {before} or {after}.", {
      day: formatDay(day),
      before: formatDay(before),
      after: formatDay(after),
    }),
  due_date_of_repetition: ({ field }) =>
    t("{field} can't be empty while the task repeats. To stop it, select “Stop repeating”.", {
      field,
    }),
  overdue_is_computed: "Tasks become overdue automatically. Choose another state.",
  state_unreachable: ({ present }) =>
    t("The task is {present}. Reopen it first.", { present: taskStateWords[present] }),
  only_when_completed: ({ field }) => t("{field} is only for completed tasks.", { field }),
  work_has_begun: ({ state }) =>
    t(
      "Only work that hasn't started can move to another asset, and this task is {state}. Add a task to the other asset instead.",
      { state: taskStateWords[state] },
    ),
  due_date_of_finished: ({ state }) =>
    t("You can't change the due date of a task that is {state}. Reopen the task first.", {
      state: taskStateWords[state],
    }),
  repetition_of_finished: ({ state }) =>
    t("The task is {state}. Change the recurrence on the open occurrence.", {
      state: taskStateWords[state],
    }),
  workspace_of_asset_task: "This task is always in its asset's workspace. Move the asset instead.",

  only_for_sheets: ({ field }) => t("{field} is only for label sheets.", { field }),
  too_many_skipped: ({ field, most }) => t("{field} must be less than {most}.", { field, most }),

  removed_from_what: "Choose a workspace, or the whole organization.",
  sees_every_workspace: ({ name, role, workspace }) =>
    t(
      role === "owner"
        ? "{name} is an organization owner and has access to every workspace, including {workspace}."
        : "{name} is an organization admin and has access to every workspace, including {workspace}.",
      { name: quote(name), workspace: quote(workspace) },
    ),
  member_already: ({ email }) =>
    t(
      "{email} is already a member of the organization. To add them to a workspace, choose the workspace here and the organization role Member.",
      { email },
    ),
  too_many_mails: (given) =>
    t("Too many requests: {limit}", { limit: commonTexts.too_many_mails(given) }),
  pending_invite: "This person already has an open invitation to the same place.",
  invite_accepted: ({ email }) =>
    t("{email} already accepted the invitation. To end their access, remove them under Members.", {
      email,
    }),
  invite_ended: ({ email, how }) =>
    how === "accepted"
      ? t("{email} accepted this invitation. To invite them again, create a new one.", { email })
      : t("The invitation for {email} was withdrawn. To invite them again, create a new one.", {
          email,
        }),
  invite_replaced: ({ email }) =>
    t("A newer invitation for {email} replaced this one. Resend that one instead.", {
      email,
    }),
  role_without_workspace: "Choose the workspace for this role.",
};

const texts: RefusalTexts = { ...commonTexts, ...textsForPeople };

const ofOtherKind = {
  asset: "{field}: {reference} isn't an asset.",
  task: "{field}: {reference} isn't a task.",
  workspace: "{field}: {reference} isn't a workspace.",
  user: "{field}: {reference} isn't a person.",
  invite: "{field}: {reference} isn't an invitation.",
} as const;

function withNearest(sentence: string, nearest: readonly string[]): string {
  if (nearest.length === 0) return sentence;
  return `${sentence} ${t("Close matches: {nearest}.", { nearest: nearest.join(", ") })}`;
}

function describeLatest(latest: LatestChange | undefined): string {
  const who = latest === undefined ? t("Someone") : latest.by;
  const fields = [...new Set(latest?.fields.map(nameField))].join(", ");
  const what = fields === "" ? t("this||changed value") : fields;
  return [
    latest === undefined
      ? t("{who} changed {what}, after you opened this form.", { who, what })
      : t("{who} changed {what} {ago} ago, after you opened this form.", {
          who,
          what,
          ago: describeAgo(new Date(latest.at)),
        }),
    t("Your changes aren't saved yet. View the current values, then save again to overwrite them."),
  ].join(" ");
}

function nameHolder(holder: NumberHolder): string {
  if (typeof holder === "object") {
    const name = quote(holder.name);
    return holder.isRetired
      ? t(
          "Inventory number has already been taken (by {name}, which is retired). You can restore that asset.",
          { name },
        )
      : t("Inventory number has already been taken (by {name}).", { name });
  }
  if (holder === "hidden") {
    return t("Inventory number has already been taken (by an asset you can't see).");
  }
  return holder === "renumbered"
    ? t(
        "Inventory number has already been taken. An asset had it before its number was changed, and it is never reused.",
      )
    : t(
        "Inventory number has already been taken. It belonged to a permanently deleted asset and is never reused.",
      );
}

/** In the current time zone, always with the time. */
function describeInstant(at: Date): string {
  const clock = describeTime(at);
  const words = describeMoment(at, { isInline: true });
  return words.endsWith(clock) ? words : `${words}, ${clock}`;
}
