import type { EntityManager } from "typeorm";
import type { Caller } from "../../domain/access/caller.js";
import { findPersonChoices } from "../../domain/members/person-choices.js";
import { findWorkspaceChoices } from "../../domain/workspaces/workspace-choices.js";
import type { Option } from "./controls.js";

/** The workspaces that a caller sees; with `least`, those where they may add and change things. */
export async function workspaceOptions(
  db: EntityManager,
  caller: Caller,
  { least = "viewer" }: { least?: "viewer" | "member" } = {},
): Promise<Option[]> {
  const choices = await findWorkspaceChoices(db, caller);
  return choices
    .filter(({ role }) => least === "viewer" || role !== "viewer")
    .map(({ id, name }) => ({ value: id, label: name }));
}

/** People who may be responsible, oneself first. */
export async function personOptions(db: EntityManager, caller: Caller): Promise<Option[]> {
  const people = await findPersonChoices(db, caller);
  const others = people.filter(({ id }) => id !== caller.userId);
  return [
    { value: caller.userId, label: `${caller.userName} (you)` },
    ...others.map(({ id, name }) => ({ value: id, label: name })),
  ];
}

/** Whoever is responsible can be kept, also when that person could not be chosen anew. */
export function withPresent(
  people: Option[],
  {
    assigned_to_user_id: id,
    assigned_to: name,
  }: { assigned_to_user_id: string | null; assigned_to: string | null },
): Option[] {
  if (id === null || people.some(({ value }) => value === id)) return people;
  return [{ value: id, label: name ?? "Somebody who left" }, ...people];
}
