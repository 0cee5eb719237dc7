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
import { describeMoment, describeTime, formatDay } from "./format.js";
import { taskStateWords } from "./warnings-for-people.js";

/** A refusal for a person: what fields are called above their inputs, and what to do on the page. */
export function describeRefusalForPeople(error: RefusedItem["error"]): string {
  const text = wordRefusal(texts, error, nameField);
  // An address is written as it is, also where it comes first.
  return /^\S+@/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** `“Purchase cost”`; of a field within another one only the inner. */
function nameField(field: string): string {
  return t("“{label}”", { label: toFieldLabel(field.slice(field.indexOf(".") + 1)) });
}

/** A text for every reader, whose days are written as pages write them. */
function withDays<Given extends object>(word: (given: Given) => string): (given: Given) => string {
  const writeDay = ([name, value]: [string, unknown]) =>
    /^(?:day|otherDay|today)$/.test(name) ? [name, formatDay(String(value))] : [name, value];
  return (given) => word(Object.fromEntries(Object.entries(given).map(writeDay)) as Given);
}

const insteadOfNumber: Record<NumberFor, string> = translated({
  "new asset": "Leave it empty to get the next free one.",
  "present asset": "Choose another one.",
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
  before_other_day: withDays(commonTexts.before_other_day),
  days_reversed: withDays(commonTexts.days_reversed),
  asset_deleted_for_good: withDays(commonTexts.asset_deleted_for_good),
  nothing_to_change: "There is nothing to change.",
  set_and_cleared: ({ field }) =>
    t("{field} cannot have a value and be empty at the same time.", { field }),
  version_ahead: () => describeLatest(undefined),
  changed_since: ({ changed }) => describeLatest(changed),
  request_key_reused:
    "This form was sent before, and what it asked for was created then. To create another one, send it once more.",
  some_refused: ({ of, refused }) =>
    [
      t("Nothing was changed, because {refused} of {of} cannot be.", {
        refused: refused.length,
        of,
      }),
      ...refused.map(({ name, error }) => `${name}: ${describeRefusalForPeople(error)}`),
    ].join(" "),
  foreign_cursor:
    "The page that the address names does not belong to this list. Start again from the first page.",

  wrong_kind_of_id: ({ field, reference, kind }) =>
    t(ofOtherKind[kind], { field, reference: quote(reference) }),
  none_placeholder: ({ field }) => t("{field}: leave it empty for none.", { field }),
  asset_not_found: ({ reference, isTaskNumber, nearest }) =>
    withNearest(
      isTaskNumber
        ? t(
            "No asset that you see has the number {reference}, which looks like the number of a task.",
            { reference: quote(reference) },
          )
        : t("No asset that you see has this number."),
      nearest.map(nameAsset),
    ),
  task_not_found: ({ reference, isInventoryNumber }) =>
    [
      t("There is no task {reference} that you see.", { reference: quote(reference) }),
      ...(isInventoryNumber ? [t("It looks like the number of an asset.")] : []),
      t(
        "It may also be in a workspace that you do not belong to, or have been permanently deleted.",
      ),
    ].join(" "),
  workspace_not_found: "This workspace is not there any more. Choose another one.",
  person_not_found: ({ reference, nearest, isInvited }) => {
    if (isInvited) {
      return t("{name} is invited and hasn't accepted yet.", { name: quote(reference) });
    }
    if (idKindOf(reference) === "user") {
      return t("This person cannot be chosen any more. Choose another one.");
    }
    const near = nearest.map(({ name }) => quote(name)).join(", ");
    const nobody = t("Nobody is called {reference}.", { reference: quote(reference) });
    return near === "" ? nobody : `${nobody} ${t("Near: {near}.", { near })}`;
  },
  invite_not_found: "There is no such invitation. It may also be one that you cannot see.",
  invite_ambiguous: "This address has several open invitations. Choose one.",
  workspace_missing: "Choose a workspace.",
  assignee_cannot_see: ({ name, workspace }) =>
    t(
      "{name} can't see the workspace {workspace}. Choose someone else, or have an admin add them under Settings > Members.",
      { name: quote(name), workspace: quote(workspace.name) },
    ),
  unknown_history_field: ({ field, value }) =>
    t("{field} {value} is not one that histories tell about.", { field, value: quote(value) }),

  asset_retired: "This asset is retired. Restore it before you change it.",
  only_restored: "This asset is retired. Restore it before you change it.",
  retired_without_new_tasks:
    "This asset is retired and gets no new tasks. Restore it first, or choose another one.",
  task_of_retired:
    "The asset of this task is retired. Restore the asset before you change its tasks.",
  retired_without_labels: ({ names }) =>
    names.length === 1
      ? t("{names} is retired, and retired assets get no labels. Restore them first.", {
          names: anyOf(names.map(quote)),
        })
      : t("{names} are retired, and retired assets get no labels. Restore them first.", {
          names: anyOf(names.map(quote)),
        }),
  reason_without_deletion: ({ field }) =>
    t("{field} is only for an asset that is retired.", { field }),
  before_last_change: ({ field, at }) =>
    t("{field} lies before the last change of state, {at}.", {
      field,
      at: describeInstant(new Date(at)),
    }),
  wrong_confirmation:
    "This is not the inventory number of the asset, so nothing was deleted. Type it exactly as it stands above.",
  number_like_id: ({ number, whose }) =>
    `${t("{number} cannot be an inventory number.", { number: quote(number) })} ${insteadOfNumber[whose]}`,
  numbers_exhausted:
    "The next inventory numbers are all taken. Try again, or let an admin enter a number.",
  number_taken: ({ holder, whose }) => `${nameHolder(holder)} ${insteadOfNumber[whose]}`,
  workspace_name_taken: ({ holder }) =>
    holder === undefined
      ? t(
          "Workspace name has already been taken (by a workspace you cannot see). Choose another name.",
        )
      : t(
          "Workspace name has already been taken (by {name}). Choose another name, or use that workspace.",
          { name: quote(holder.name) },
        ),
  workspace_not_empty: "This workspace is not empty.",

  task_without_site: "Choose an asset or a workspace.",
  not_on_weekday: ({ day, before, after }) =>
    t("{day} is not on the weekday of the repetition. Use {before} or {after}.", {
      day: formatDay(day),
      before: formatDay(before),
      after: formatDay(after),
    }),
  due_date_of_repetition: ({ field }) =>
    t("{field} cannot be emptied while the task repeats. To end that, tick “Stop repeating”.", {
      field,
    }),
  overdue_is_computed: "A task is overdue when its due date has passed. Choose another state.",
  state_unreachable: ({ present, next, asked }) =>
    t(
      "The task is {present} and can only become {next}, which reopens it; it cannot become {asked}.",
      {
        present: taskStateWords[present],
        next: anyOf(next.map((one) => taskStateWords[one])),
        asked: taskStateWords[asked],
      },
    ),
  only_when_completed: ({ field }) => t("{field} is only for a task that is completed.", { field }),
  work_has_begun: ({ state }) =>
    t(
      "Only work that has not begun goes to another asset, and this is {state}. Add a task to the other asset instead.",
      { state: taskStateWords[state] },
    ),
  due_date_of_finished: ({ state }) =>
    t("You can't change the due date of a task that is {state}. Reopen the task first.", {
      state: taskStateWords[state],
    }),
  repetition_of_finished: ({ state }) =>
    t("The task is {state}. Change the repetition on its open occurrence.", {
      state: taskStateWords[state],
    }),
  workspace_of_asset_task: "This task is always where its asset is. Move the asset instead.",

  only_for_sheets: ({ field }) => t("{field} is only for sheets of labels.", { field }),
  too_many_skipped: ({ field, most }) => t("{field} must be less than {most}.", { field, most }),

  removed_from_what: "Choose a workspace, or the whole organization.",
  sees_every_workspace: ({ name, role, workspace }) =>
    t(
      role === "owner"
        ? "{name} is an owner of the organization and has access to every workspace without belonging to {workspace}."
        : "{name} is an admin of the organization and has access to every workspace without belonging to {workspace}.",
      { name: quote(name), workspace: quote(workspace) },
    ),
  member_already: ({ email }) =>
    t(
      "{email} is already a member of the organization. To add them to a workspace, choose it here, and the role of a member in the organization.",
      { email },
    ),
  too_many_mails: (given) =>
    t("Too many requests: {limit}", { limit: commonTexts.too_many_mails(given) }),
  pending_invite: "This person has an open invitation to the same place already.",
  invite_accepted: ({ email }) =>
    t(
      "The invitation of {email} was accepted already. To end the person's access, remove them under Members.",
      { email },
    ),
  invite_ended: ({ email, how }) =>
    how === "accepted"
      ? t("The invitation of {email} was accepted. Invite them again with a new one.", { email })
      : t("The invitation of {email} was withdrawn. Invite them again with a new one.", { email }),
  invite_replaced: ({ email }) =>
    t("A newer invitation of {email} took the place of this one. Send that one again instead.", {
      email,
    }),
  role_without_workspace: "Choose the workspace that the role is for.",
};

const texts: RefusalTexts = { ...commonTexts, ...textsForPeople };

const ofOtherKind = {
  asset: "{field}: {reference} is not an asset.",
  task: "{field}: {reference} is not a task.",
  workspace: "{field}: {reference} is not a workspace.",
  user: "{field}: {reference} is not a person.",
  invite: "{field}: {reference} is not an invitation.",
} as const;

function withNearest(sentence: string, nearest: readonly string[]): string {
  if (nearest.length === 0) return sentence;
  return `${sentence} ${t("The nearest: {nearest}.", { nearest: nearest.join(", ") })}`;
}

function describeLatest(latest: LatestChange | undefined): string {
  const who = latest === undefined ? t("Somebody") : latest.by;
  const fields = [...new Set(latest?.fields.map(nameField))].join(", ");
  const what = fields === "" ? t("this||what somebody changed") : fields;
  return [
    latest === undefined
      ? t("{who} changed {what}, after you opened this form.", { who, what })
      : t("{who} changed {what} {ago} ago, after you opened this form.", {
          who,
          what,
          ago: describeAgo(new Date(latest.at)),
        }),
    t(
      "Nothing of yours is saved yet. Look at what is there now, then save again if your values should take its place.",
    ),
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
    return t("Inventory number has already been taken (by an asset you cannot see).");
  }
  return holder === "renumbered"
    ? t(
        "Inventory number has already been taken. An asset had it before its number was changed, and it is never reused.",
      )
    : t(
        "Inventory number has already been taken. It belonged to a permanently deleted asset and is never reused.",
      );
}

/** As the clocks of the organization show it, always with the time. */
function describeInstant(at: Date): string {
  const clock = describeTime(at);
  const words = describeMoment(at, { isInline: true });
  return words.endsWith(clock) ? words : `${words}, ${clock}`;
}
