import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../domain/access/caller.js";
import type { WorkspaceChoice } from "../../domain/workspaces/workspace-choices.js";
import { countOf } from "../text/format.js";

export type OwnPlaces = readonly WorkspaceChoice[];

const namedAtMost = 3;

/** What part of the organization a person sees, and whether they may only look at it. */
export function VisiblePartNote({
  caller,
  places = [],
}: {
  caller: Caller;
  places: OwnPlaces | undefined;
}): VNode | null {
  if (isOrganizationAdmin(caller)) return null;
  if (places.length === 0) {
    return (
      <p class="soft outlook">
        You belong to no workspace yet, so you see only what is in none of them.
      </p>
    );
  }
  return (
    <p class="soft outlook">
      You see your part of {caller.organizationName}: {nameSome(places)}.{" "}
      {places.every(({ role }) => role === "viewer") &&
        "You are a viewer there: you can look at everything and change nothing. "}
      <a href="/workspaces">See your {places.length === 1 ? "workspace" : "workspaces"}</a>
    </p>
  );
}

/** The first few by name, the others by number. */
export function nameSome(places: OwnPlaces): string {
  const names = places.map(({ name }) => name);
  if (names.length <= namedAtMost) return names.join(", ");
  const others = names.length - namedAtMost + 1;
  return `${names.slice(0, namedAtMost - 1).join(", ")} and ${countOf(others, "other workspace")}`;
}
