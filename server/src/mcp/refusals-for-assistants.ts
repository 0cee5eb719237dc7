import { commonTexts } from "../domain/shared/common-texts.js";
import {
  wordRefusal,
  type LatestChange,
  type Named,
  type NamedAsset,
  type NoneInstead,
  type NumberFor,
  type NumberHolder,
  type ReferenceKind,
  type RefusedItem,
  type RefusalTexts,
  type WorkspaceContents,
} from "../domain/shared/refusals.js";
import { describeAgo } from "../domain/shared/dates.js";
import { idPrefixes } from "../domain/shared/ids.js";
import { nameAsset, quote } from "../domain/shared/quote.js";
import type { AppError, ErrorCode } from "../errors.js";
import { aboutRecord, tellMistakes } from "./mistakes.js";

const starts: Partial<Record<ErrorCode, string>> = {
  validation_failed: "Validation failed: ",
  duplicate: "Validation failed: ",
  conflict: "Conflict: ",
  already_member: "Conflict: ",
  pending_invite: "Conflict: ",
  invalid_transition: "Not possible: ",
  last_owner: "Not possible: ",
  self_removal: "Not possible: ",
  forbidden: "Not authorized: ",
  confirmation_mismatch: "Confirmation does not match: ",
  not_empty: "Workspace is not empty: ",
  rate_limited: "Too many requests: ",
};

/** Some have their own prefix, and a person who declines made no mistake. */
const withoutStart = new Set<string | undefined>(["some_refused", "declined", "not_answered"]);

/** A refusal for an assistant, with parameter names and a tool that helps. */
export function describeRefusalForAssistants(error: RefusedItem["error"]): string {
  const start = withoutStart.has(error.key) ? "" : starts[error.code as ErrorCode];
  return (start ?? "") + wordRefusal(texts, error, (field) => field);
}

/** The machine-readable part of a refusal. */
export function detailsOf({ params }: AppError): Record<string, unknown> | undefined {
  const given = params as Record<string, unknown>;
  const { nearest, contents, refused, ...rest } = given;
  const details = Object.entries({ ...rest, ...(contents as object | undefined) }).filter(
    ([name, value]) => value !== undefined && detailNames.has(name),
  );
  const near = (nearest ?? []) as readonly (Named | NamedAsset)[];
  if (near.length > 0) details.push(["nearest", near.map(nameNear)]);
  if (refused !== undefined) {
    const items = refused as readonly RefusedItem[];
    details.push([
      "refused",
      items.map(({ index, name, error }) => ({ index, name, code: error.code })),
    ]);
  }
  return details.length === 0 ? undefined : Object.fromEntries(details);
}

export const restoreHint =
  "To restore it, use update_asset_state with state available, in_use or stored.";

const rereadWith = {
  asset: "get_asset",
  task: "get_maintenance_task",
  workspace: "list_workspaces",
  organization: "get_current_user",
};

const alsoTaken: Partial<Record<ReferenceKind, string>> = {
  asset: "an inventory number",
  task: 'a task number such as "T-118"',
  workspace: "an exact workspace name",
  user: 'an email address, a full name, or "me"',
};

const unseen = "It may also be in a workspace you can't see, or be permanently deleted.";

const insteadOfNone: Record<NoneInstead, (field: string) => string> = {
  clear: (field) => `To empty it, use clear_fields ["${field}"].`,
  "leave out": (field) => `For none, leave ${field} out.`,
  "name site": () => "Give asset_id for work on an asset, or the workspace where the work is.",
  "name place": () => "A task without an asset needs a workspace. Give the one it moves to.",
};

const insteadOfNumber: Record<NumberFor, string> = {
  "new asset": "Leave inventory_number out to get the next free one.",
  "present asset": "Choose another one, or leave inventory_number out to keep the current one.",
};

type OwnTexts = Omit<RefusalTexts, keyof typeof commonTexts>;

const textsForAssistants: OwnTexts = {
  nothing_to_change: ({ choices }) =>
    `no change was given. Give at least one field, ${choices}. null changes nothing; to empty a field, use clear_fields.`,
  set_and_cleared: ({ field }) => `${field} is both set and in clear_fields. Give one of the two.`,
  version_ahead: ({ kind, version, expected }) =>
    `the ${kind} is at version ${version}, not ${expected}. Read it again with ${rereadWith[kind]}, then repeat with expected_version ${version}.`,
  changed_since: ({ kind, version, expected, changed }) =>
    `the ${kind} changed since version ${expected} (now ${version}${changed === undefined ? "" : describeChange(changed)}). Read it again with ${rereadWith[kind]}, then repeat with expected_version ${version} if the change still makes sense.`,
  request_key_reused:
    "request_key was already used with other arguments. Use a new key, or repeat the first call unchanged.",
  some_refused: ({ of, refused }) => {
    const mistakes = refused.map(({ name, error }) =>
      aboutRecord(name, describeRefusalForAssistants(error)),
    );
    return `Nothing was changed, because ${refused.length} of ${of} were refused. ${tellMistakes(mistakes)}`;
  },
  foreign_cursor:
    "cursor does not belong to this list with these arguments. Start again without cursor, and keep all other arguments unchanged from page to page.",

  wrong_kind_of_id: ({ field, reference, given, kind }) => {
    const article = /^[aeiou]/.test(given) ? "an" : "a";
    const also = alsoTaken[kind];
    return `${quote(reference)} is ${article} ${given} id; ${field} needs an id starting with ${idPrefixes[kind]}${also === undefined ? "" : ` or ${also}`}.`;
  },
  none_placeholder: ({ field, value, instead }) =>
    `${field} ${quote(value)} is not a ${field === "workspace_id" ? "workspace" : "person"}. ${insteadOfNone[instead](field)}`,
  asset_not_found: ({ reference, isTaskNumber, nearest }) =>
    `Asset not found for ${quote(reference)}. ${
      isTaskNumber
        ? "It looks like a task number. Use get_maintenance_task with task_id."
        : `${nameNearest(nearest).trimStart()} Use list_assets with query to find it. ${unseen}`.trimStart()
    }`,
  task_not_found: ({ reference, isInventoryNumber }) =>
    `Task not found for ${quote(reference)}. ${
      isInventoryNumber
        ? "It looks like an inventory number. Use get_asset or list_maintenance_tasks with asset_id."
        : `Use list_maintenance_tasks with query to find it. ${unseen}`
    }`,
  workspace_not_found: ({ reference, nearest }) =>
    `Workspace not found for ${quote(reference)}.${nameNearest(nearest)} Use list_workspaces to see yours.`,
  person_not_found: ({ reference, nearest, isInvited }) =>
    isInvited
      ? `${quote(reference)} is invited and has not accepted yet. Leave the assignee out or choose a member (list_users), and assign them after they accept.`
      : `User not found for ${quote(reference)}.${nameNearest(nearest)} Give a member's user id (usr_…), email or full name, or "me". Use list_users with query to find them. It may also be someone you can't see.`,
  invite_not_found: ({ reference }) =>
    `Invite not found for ${quote(reference)}. Give the id (inv_…) from list_invites, or the email it was sent to. It may also be an invitation you can't see.`,
  invite_ambiguous: ({ reference, open }) => {
    const invites = open.map(
      ({ id, workspace_name: name }) => `${id} (${name === null ? "no workspace" : quote(name)})`,
    );
    return `${quote(reference)} has ${open.length} open invitations: ${invites.join(", ")}. Give one of these ids as invite_id.`;
  },
  workspace_missing: ({ action, workspaces }) =>
    `workspace_id is missing. Only organization admins can ${action === "add" ? "add assets" : "invite people"} without a workspace. Use one of: ${workspaces.map(nameNear).join(", ")}.`,
  assignee_cannot_see: ({ field, name, workspace }) =>
    `${field}: ${quote(name)} can't see the workspace ${quote(workspace.name)}. Choose someone who belongs to it (list_users), or have a workspace admin add them first: create_invite with their email and workspace_id ${workspace.id}.`,
  unknown_history_field: ({ field, value, meant, allowed }) =>
    `${field} ${quote(value)} is not a field that the history records.${meant === undefined ? "" : ` Did you mean ${meant}?`} Allowed: ${allowed.join(", ")}.`,

  asset_retired: ({ field }) =>
    `the asset is deleted, so ${field} can't be changed. Only workspace_id and note can. ${restoreHint}`,
  only_restored:
    "a deleted asset can only become available, in_use or stored. Set one of these first, then repeat this call.",
  retired_without_new_tasks: `the asset is deleted, so it can't get new tasks. ${restoreHint}`,
  task_of_retired: `the asset is deleted, so its tasks can't be changed. ${restoreHint}`,
  retired_without_labels: ({ names }) =>
    `${names.length === 1 ? `${quote(names[0] ?? "")} is deleted` : `all ${names.length} assets are deleted`}, and deleted assets get no labels. ${restoreHint}`,
  reason_without_deletion: ({ field }) =>
    `${field} only works with state "deleted". Use note for the reason of another state.`,
  before_last_change: ({ field, at }) =>
    `${field} is before the last change of state, ${at}. Use a later time, or leave ${field} out to mean now.`,
  wrong_confirmation:
    "nothing was deleted. Read the asset with get_asset, show it to the person, then pass its inventory_number unchanged.",
  number_like_id: ({ field, number, whose }) =>
    `${field} ${quote(number)} looks like an id. ${insteadOfNumber[whose]}`,
  number_taken: ({ holder, whose }) =>
    `Inventory number has already been taken${nameHolder(holder)} ${insteadOfNumber[whose]}`,
  workspace_name_taken: ({ holder }) =>
    holder === undefined
      ? "Workspace name has already been taken (by a workspace you can't see). Choose another name."
      : `Workspace name has already been taken (by ${quote(holder.name)}, ${holder.id}). Choose another name, or use that workspace.`,
  workspace_not_empty: ({ name, contents }) => describeContents(quote(name), contents),

  task_without_site: ({ given }) =>
    `${given === "none" ? "asset_id or workspace_id is missing" : "asset_id and workspace_id are both given"}. Give asset_id for work on an asset, or workspace_id for work without an asset, not both.`,
  not_on_weekday: ({ field, day, weekday, before, after }) =>
    `${field} ${day} is not the ${weekday} of the month. Use ${before} or ${after}, or change recurrence.on_weekday.`,
  due_date_of_repetition: ({ field }) =>
    `${field} can't be emptied while the task recurs. Use clear_fields ["${field}", "recurrence"].`,
  overdue_is_computed:
    '"overdue" is computed from due_date. Change due_date, or set state in_progress, completed or cancelled.',
  state_unreachable: ({ present, next, asked }) =>
    `the task is ${present}, so it can't become ${asked}. Reopen it first with state "${next.join('" or "')}".`,
  only_when_completed: ({ field }) =>
    `${field} only works with state "completed". Set the state too, or leave ${field} out.`,
  work_has_begun: ({ field, state }) =>
    `${field} can only change before work starts, and this task is ${state}. Use create_maintenance_task on the other asset instead.`,
  due_date_of_finished: ({ field, state }) =>
    `${field} can't be changed on a ${state} task, because it decides whether the work was on time. To correct it, reopen the task first with state "${state === "cancelled" ? "scheduled" : "in_progress"}".`,
  repetition_of_finished: ({ state }) =>
    `the task is ${state}. Change the recurrence on its open task; find it with list_maintenance_tasks and state "open".`,
  workspace_of_asset_task: ({ field }) =>
    `${field} is only for tasks without an asset. This task moves with its asset: use update_asset with workspace_id.`,

  only_for_sheets: ({ field }) =>
    `${field} only works with format "pdf_sheet". Set that format, or leave ${field} out.`,
  too_many_skipped: ({ field, most, template }) =>
    most === 1
      ? `${field} must be 0 with ${template}, which has one label per page.`
      : `${field} must be less than ${most}, the number of labels on a ${template} sheet.`,

  removed_from_what:
    "give either workspace_id, to end access to that workspace, or from_organization: true, to end access to the whole organization.",
  sees_every_workspace: ({ name, role, workspace }) =>
    `${quote(name)} is an organization ${role}, so they see every workspace without belonging to ${quote(workspace)}. To end all access, use from_organization: true. To end only this access, an admin changes their role under Settings > Members.`,
  member_already: ({ email }) =>
    `${email} is already a member of the organization. To add them to a workspace, use create_invite with workspace_id and organization_role "member". To change their role, an admin uses the page Settings > Members.`,
  pending_invite: ({ email, invite_id: id, differs }) =>
    `${email} already has a pending invitation${id === undefined ? "" : ` ${id}`}. Use resend_invite${differs === undefined ? "" : `, or delete_invite first to change the ${differs}`}.`,
  invite_accepted: ({ email }) =>
    `the invitation for ${email} was already accepted. Use remove_user to end their access.`,
  invite_ended: ({ email, how }) =>
    `the invitation for ${email} was ${how === "accepted" ? "already accepted" : "withdrawn"}. Use create_invite to invite them again.`,
  invite_replaced: ({ email }) =>
    `a newer invitation for ${email} replaced this one. Find it with list_invites.`,
  role_without_workspace: ({ role }) =>
    `workspace_role "${role}" only works with workspace_id. Give the workspace they join, or leave workspace_role out.`,
};

const texts: RefusalTexts = { ...commonTexts, ...textsForAssistants };

const detailNames = new Set([
  "confirmation_url",
  "version",
  "changed",
  "workspaces",
  "invite_id",
  "retry_after_seconds",
  "assets",
  "deleted_assets",
  "tasks",
  "finished_tasks",
  "own_tasks",
]);

/** `, by "Dara Novak", 2 minutes ago: state` */
function describeChange({ by, at, fields }: LatestChange): string {
  const what = fields.length === 0 ? "" : `: ${fields.join(", ")}`;
  return `, by ${quote(by)}, ${describeAgo(new Date(at))} ago${what}`;
}

/** `"Circulation pumps" (wsp_…)` */
export function nameNear(near: Named | NamedAsset): string {
  return "id" in near ? `${quote(near.name)} (${near.id})` : nameAsset(near);
}

function nameNearest(nearest: readonly (Named | NamedAsset)[]): string {
  return nearest.length === 0 ? "" : ` Nearest: ${nearest.map(nameNear).join(", ")}.`;
}

function nameHolder(holder: NumberHolder): string {
  if (typeof holder === "object") {
    const who = `by ${quote(holder.name)}, ${holder.id}`;
    return holder.isRetired ? ` (${who}, which is deleted). ${restoreHint}` : ` (${who}).`;
  }
  if (holder === "hidden") return " (by an asset you can't see).";
  return holder === "renumbered"
    ? ". Another asset had it before its number was changed, and numbers are never reused."
    : ". It belonged to a permanently deleted asset and is never reused.";
}

function describeContents(place: string, contents: WorkspaceContents): string {
  const { assets, tasks, own_tasks: own } = contents;
  const held = [
    ...(assets > 0 ? [count(assets, "asset", contents.deleted_assets, "deleted")] : []),
    ...(tasks > 0 ? [count(tasks, "task", contents.finished_tasks, "finished")] : []),
  ];
  const steps = [
    ...(assets > 0
      ? [
          `Find the assets with list_assets, workspace_id ${place}, state "all", and move them with update_asset and workspace_id; their tasks move with them.`,
        ]
      : []),
    ...(own > 0
      ? [
          `Find the ${own === 1 ? "task" : `${own} tasks`} without an asset with list_maintenance_tasks, workspace_id ${place}, and move ${own === 1 ? "it" : "them"} with update_maintenance_task and workspace_id.`,
        ]
      : []),
  ];
  return `it holds ${held.join(" and ")}. ${steps.join(" ")}`;
}

/** `3 assets (2 deleted)` */
function count(all: number, what: string, some: number, which: string): string {
  return `${all} ${what}${all === 1 ? "" : "s"}${some === 0 ? "" : ` (${some} ${which})`}`;
}
