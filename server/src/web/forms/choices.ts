import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import {
  findPersonChoices,
  maxPersonChoices,
  type PersonChoice,
} from "../../domain/people/person-choices.js";
import {
  findWorkspaceChoices,
  type WorkspaceChoice,
} from "../../domain/organizations/workspace-choices.js";
import { t } from "../../language/translate.js";
import { toNamedOptions, type Option } from "./controls.js";

/** The workspaces in which a caller may add and change things. */
export async function workspaceOptions(db: Tx, caller: Caller): Promise<Option[]> {
  return toWritable(await findWorkspaceChoices(db, caller));
}

/** Returns the workspaces in which the caller may add and change things. */
export function toWritable(choices: readonly WorkspaceChoice[]): Option[] {
  return toNamedOptions(choices.filter(({ role }) => role !== "viewer"));
}

const maxSuggested = 100;

export const unassigned: Option = {
  value: "none",
  get label() {
    return t("Unassigned");
  },
};

/** The possible assignees, the caller first. With a workspace, only people who can see it. */
export async function personOptions(
  db: Tx,
  caller: Caller,
  workspaceId?: string,
): Promise<Option[]> {
  const people = await findPersonChoices(db, caller, workspaceId);
  const others = people.filter(({ id }) => id !== caller.userId);
  const own = t("{name} (you)", { name: caller.userName });
  return [{ value: caller.userId, label: own }, ...toPersonOptions(others)];
}

/** People to choose from. If there are too many, the others are typed. */
export function toPersonOptions(people: readonly PersonChoice[]): Option[] {
  if (people.length < maxPersonChoices) return toNamedOptions(people);
  return [...toNamedOptions(people.slice(0, maxSuggested)), { value: "", label: "", typed: true }];
}

/** Adds the current value to the options. It can be kept even if it can't be chosen again. */
export function withPresent(
  options: Option[],
  value: string | null,
  toLabel: (value: string) => string,
): Option[] {
  if (value === null || options.some((option) => option.value === value)) return options;
  return [{ value, label: toLabel(value) }, ...options];
}

/** Adds the current assignee. They can be kept even if they can't be chosen again. */
export function withAssigned(
  people: Option[],
  task: { assigned_to_user_id: string | null; assigned_to: string | null },
): Option[] {
  const { assigned_to_user_id: id, assigned_to: name } = task;
  return withPresent(people, id, () => name ?? t("Former member"));
}
