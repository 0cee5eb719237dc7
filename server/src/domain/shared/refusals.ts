import { translateIfKnown } from "../../language/translate.js";
import type { Invite } from "../../db/entities/people.js";
import type { WeekdayOfMonth, TaskState } from "../../db/entities/tasks.js";
import type { IdKind } from "./ids.js";
import type { commonTexts, OfField } from "./common-texts.js";

/** Parameters of an error: data only. Each reader has separate texts. */
type Parameters<Text> = Text extends (parameters: infer Given) => string ? Given : object;

type CommonRefusals = {
  [Key in keyof typeof commonTexts]: Parameters<(typeof commonTexts)[Key]>;
};

export interface Refusals extends CommonRefusals, DistinctRefusals {}

export type RefusalKey = keyof Refusals;

/** The text of each error for one reader. Field names are the reader's. */
export type RefusalTexts<Key extends RefusalKey = RefusalKey> = {
  [Each in Key]: string | ((parameters: Refusals[Each]) => string);
};

/** Formats an error with a reader's texts. `nameOf` returns the reader's name of a field. */
export function wordRefusal(
  texts: Partial<RefusalTexts>,
  { key, params }: { key: RefusalKey; params: object },
  nameOf: (field: string) => string,
): string {
  const text = (texts[key] ?? key) as string | ((parameters: object) => string);
  if (typeof text === "string") return translateIfKnown(text);
  const { field, label, otherField }: Fields = params;
  return text({
    ...params,
    ...(field !== undefined && {
      field: label === undefined ? nameOf(field) : translateIfKnown(label),
    }),
    ...(otherField !== undefined && { otherField: nameOf(otherField) }),
  });
}

export interface Fields {
  field?: string | undefined;
  /** Label that overrides the field's usual name. */
  label?: string | undefined;
  otherField?: string | undefined;
}

export interface Named {
  id: string;
  name: string;
}

export interface NamedAsset {
  inventory_number: string;
  name: string;
}

interface NotFound<Near> {
  reference: string;
  nearest: readonly Near[];
}

/** Kinds that are referenced by id or by name. */
export type ReferenceKind = "asset" | "task" | "workspace" | "user" | "invite";

/** Advice in place of "none", for an update, a creation, a new task, or a task that moves. */
export type NoneInstead = "clear" | "leave out" | "name site" | "name place";

/** The asset that holds a number, or used to hold it. */
export type NumberHolder =
  (Named & { isRetired?: boolean }) | "hidden" | "renumbered" | "permanently deleted";

/** The asset that needs a number. */
export type NumberFor = "new asset" | "present asset";

/** A stored error. Each reader formats it later. */
export interface StoredError {
  code: string;
  key: RefusalKey;
  params: object;
}

export function toStoredError({ code, key, params }: StoredError): StoredError {
  return { code, key, params };
}

export interface RefusedItem {
  /** Index among all, from 0. */
  index: number;
  name: string;
  error: StoredError;
}

export interface LatestChange {
  by: string;
  at: string;
  fields: string[];
}

export interface WorkspaceContents {
  assets: number;
  deleted_assets: number;
  tasks: number;
  finished_tasks: number;
  /** Work on the place itself. It doesn't move with an asset. */
  own_tasks: number;
}

export type VersionedKind = "asset" | "task" | "workspace" | "organization";

/** Errors that name the next step, which differs for assistants and people. */
interface DistinctRefusals {
  nothing_to_change: { choices: string };
  set_and_cleared: OfField;
  version_ahead: { kind: VersionedKind; version: number; expected: number };
  changed_since: {
    kind: VersionedKind;
    version: number;
    expected: number;
    changed: LatestChange | undefined;
  };
  request_key_reused: object;
  /** For several changes made together. */
  some_refused: { of: number; refused: readonly RefusedItem[] };
  foreign_cursor: object;

  wrong_kind_of_id: OfField & { reference: string; given: IdKind; kind: ReferenceKind };
  none_placeholder: OfField & { value: string; instead: NoneInstead };
  asset_not_found: NotFound<NamedAsset> & { isTaskNumber: boolean };
  task_not_found: { reference: string; isInventoryNumber: boolean };
  workspace_not_found: NotFound<Named>;
  person_not_found: NotFound<Named> & { isInvited: boolean };
  invite_not_found: { reference: string };
  invite_ambiguous: { reference: string; open: readonly Pick<Invite, "id" | "workspace_name">[] };
  workspace_missing: { action: "add" | "invite"; workspaces: readonly Named[] };
  assignee_cannot_see: OfField & { name: string; person_id: string; workspace: Named };
  unknown_history_field: OfField & {
    value: string;
    meant: string | undefined;
    allowed: readonly string[];
  };

  asset_retired: OfField;
  only_restored: object;
  retired_without_new_tasks: object;
  task_of_retired: object;
  retired_without_labels: { names: readonly string[] };
  reason_without_deletion: OfField;
  before_last_change: OfField & { at: string; timeZone: string };
  wrong_confirmation: object;
  number_like_id: OfField & { number: string; whose: NumberFor };
  number_taken: { whose: NumberFor; holder: NumberHolder };
  workspace_name_taken: { holder: Named | undefined };
  workspace_not_empty: { name: string; contents: WorkspaceContents };

  task_without_site: { given: "none" | "both" };
  due_date_of_repetition: OfField;
  not_on_weekday: OfField & {
    day: string;
    weekday: WeekdayOfMonth;
    before: string;
    after: string;
  };
  overdue_is_computed: object;
  state_unreachable: { present: TaskState; next: readonly TaskState[]; asked: TaskState };
  only_when_completed: OfField;
  repetition_of_finished: { state: TaskState };
  due_date_of_finished: { field: string; state: TaskState };
  work_has_begun: { field: string; state: TaskState };
  workspace_of_asset_task: OfField;

  only_for_sheets: OfField;
  too_many_skipped: OfField & { most: number; template: string };

  removed_from_what: object;
  sees_every_workspace: { name: string; role: string; workspace: string };
  member_already: { email: string };
  pending_invite: {
    email: string;
    invite_id?: string | undefined;
    differs?: "role" | "message" | undefined;
  };
  invite_accepted: { email: string };
  invite_ended: { email: string; how: "accepted" | "revoked" };
  invite_replaced: { email: string };
  role_without_workspace: { role: string };
}
