import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import type { WorkspaceChoice } from "../../../domain/organizations/workspace-choices.js";
import { t, tRich } from "../../../language/translate.js";

export type OwnPlaces = readonly WorkspaceChoice[];

const namedAtMost = 3;

/** The part of the organization that a person sees. Says if they may only view it. */
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
        {t("You're not in a workspace yet, so you only see things outside of workspaces.")}
      </p>
    );
  }
  return (
    <p class="soft outlook">
      {tRich("Showing your workspaces in {organization}: {places}.", {
        organization: <bdi>{caller.organizationName}</bdi>,
        places: <bdi>{nameSome(places)}</bdi>,
      })}{" "}
      {places.every(({ role }) => role === "viewer") && `${t("You have view-only access.")} `}
      <a href="/workspaces">
        {places.length === 1 ? t("View your workspace") : t("View your workspaces")}
      </a>
    </p>
  );
}

/** The first few names, and the number of others. */
export function nameSome(places: OwnPlaces): string {
  const all = places.map(({ name }) => name);
  if (all.length <= namedAtMost) return all.join(", ");
  const names = all.slice(0, namedAtMost - 1).join(", ");
  return t("{names} and {others, plural, one {# other workspace} other {# other workspaces}}", {
    names,
    others: all.length - namedAtMost + 1,
  });
}
