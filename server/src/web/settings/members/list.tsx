import { quote } from "../../../domain/shared/quote.js";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import {
  listUsers,
  type UserListing,
  type UserPage,
  type UserRow,
  type UserSort,
} from "../../../domain/people/people.js";
import { exportPeople } from "../../../domain/exchange/export-lists.js";
import { peopleColumns } from "../../../domain/exchange/headings.js";
import type { WorkspaceChoice } from "../../../domain/organizations/workspace-choices.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { toNamedOptions, toOptions } from "../../forms/controls.js";
import { ImportLink } from "../../lists/export-links.js";
import { FilterForm } from "../../lists/filters.js";
import { ListBody, listRoute, type ListFilters } from "../../lists/list-route.js";
import { Avatar } from "../../layout/avatar.js";
import { Moment } from "../../layout/moment.js";
import { ActionLink } from "../../layout/page-head.js";
import { ListTable, type Column } from "../../lists/list-table.js";
import { ListCount } from "../../lists/pager.js";
import { EmptyState } from "../../layout/notices.js";
import { choicesOf, organizationRoleLabels } from "../../text/value-labels.js";
import { countOf } from "../../text/format.js";
import { SettingsPage } from "../settings-layout.js";
import { readQuery } from "../settings-query.js";
import { findInvitations, InvitationRows, type Invitations } from "./invitation-rows.js";
import {
  findAdministered,
  invitationsAddress,
  mayInvite,
  membersAddress,
  personAddress,
} from "./parts.js";

const membersOnPage = 50;

/** The maximum number of open invitations below the members. The others have a separate page. */
const invitesShown = 10;

const names = ["q", "role", "workspace", "sort", "cursor"] as const;
type Query = Record<(typeof names)[number], string>;

const sortLabels: Record<UserSort, string> = translated({
  name: "Name",
  last_active_at: "Longest inactive",
});

/** `/settings/members`: the members and the invited people. */
export const memberListPages = listRoute({
  path: membersAddress,
  read: (_, query) => readFilters(query),
  find: async ({ app, db, caller }, listing) => ({
    page: await listUsers(db, caller, listing, app.services.cursors),
  }),
  more: async ({ request, db, caller }, { values: { cursor } }) => {
    const choices = await findAdministered(db, caller);
    const invitations =
      cursor === "" && mayInvite(caller, choices)
        ? await findInvitations(request, caller, { status: "pending", limit: invitesShown })
        : undefined;
    return { choices, invitations };
  },
  page: (view) => <MembersPage {...view} />,
  columns: peopleColumns,
  rows: exportPeople,
});

/** Reads the query. Ignores unknown roles. */
function readFilters(query: unknown): ListFilters<keyof Query, UserListing> {
  const values = readQuery(query, names);
  const { q, role, workspace, sort, cursor } = values;
  const listing = {
    sort: choicesOf(sortLabels).find((one) => one === sort) ?? "name",
    limit: membersOnPage,
    query: q || undefined,
    role: choicesOf(organizationRoleLabels).find((one) => one === role),
    workspace_id: workspace || undefined,
    cursor: cursor || undefined,
  };
  return { values, listing, errors: [] };
}

interface MembersView {
  caller: Caller;
  filters: { values: Query };
  page: UserPage;
  choices: readonly WorkspaceChoice[];
  invitations: Invitations | undefined;
}

function MembersPage(view: MembersView): VNode {
  const { caller, page, choices, invitations } = view;
  const { values } = view.filters;
  return (
    <SettingsPage
      title={t("Members")}
      current={membersAddress}
      width="wide"
      actions={
        mayInvite(caller, choices) && (
          <>
            <ImportLink kind="people" />
            <ActionLink href={`${membersAddress}/invite`}>{t("Invite a person")}</ActionLink>
          </>
        )
      }
    >
      {!isOrganizationAdmin(caller) && (
        <p class="soft">{t("You see people in your workspaces and organization admins.")}</p>
      )}
      <Filters query={values} choices={choices} />
      <ListBody path={membersAddress} values={values} page={page}>
        <People users={page} caller={caller} />
      </ListBody>
      {invitations !== undefined && <Open invitations={invitations} caller={caller} />}
    </SettingsPage>
  );
}

function Filters({ query, choices }: { query: Query; choices: readonly WorkspaceChoice[] }): VNode {
  const isFiltered = query.q !== "" || query.role !== "" || query.workspace !== "";
  const isSorted = query.sort !== "" && query.sort !== "name";
  const places = [{ value: "none", label: t("In no workspace") }, ...toNamedOptions(choices)];
  const workspace = { name: "workspace", label: t("Workspace"), value: query.workspace };
  const role = { name: "role", label: t("Role"), value: query.role };
  const sort = { name: "sort", label: t("Sort by"), value: query.sort };
  return (
    <FilterForm
      path={membersAddress}
      label={t("Members")}
      q={query.q}
      searchLabel={t("Search by name, job title or email")}
      isNarrowed={isFiltered || isSorted}
      folded={[
        ...(choices.length > 0 ? [{ ...workspace, any: t("All"), options: places }] : []),
        { ...role, any: t("All"), options: toOptions(organizationRoleLabels) },
      ]}
      sort={{ ...sort, usual: "name", options: toOptions(sortLabels) }}
    />
  );
}

function People({
  users: { users, total_count: total, did_you_mean: near },
  caller,
}: {
  users: UserPage;
  caller: Caller;
}): VNode {
  if (total === 0) {
    return (
      <EmptyState title={t("No one found")}>
        <p>
          {near === undefined
            ? t("Try different or fewer words.")
            : t("No one has that name. Close matches: {names}.", {
                names: near.map(({ name }) => quote(name)).join(", "),
              })}
        </p>
        <p>
          <a class="button quiet" href={membersAddress}>
            {t("Show all members")}
          </a>
        </p>
      </EmptyState>
    );
  }
  return (
    <>
      <ListCount shown={users.length} total={total} one="member" />
      <ListTable label={t("Members")} columns={personColumns()} hasPicks={false}>
        {users.map((user) => (
          <Person key={user.id} user={user} caller={caller} />
        ))}
      </ListTable>
    </>
  );
}

function personColumns(): readonly Column[] {
  return [
    { kind: "what", label: t("Person") },
    { kind: "state", label: t("Role") },
    { kind: "where", label: t("Workspaces") },
    { kind: "due", label: t("Last active") },
    { kind: "who", label: t("Open tasks") },
  ];
}

function Person({ user, caller }: { user: UserRow; caller: Caller }): VNode {
  const { id, name, email, organization_role: role, last_active_at: active } = user;
  const { job_title: title } = user;
  return (
    <tr>
      <td class="what">
        <div class="with-picture">
          <Avatar name={name} />
          <div>
            <a class="thing" href={personAddress(id)} dir="auto">
              {name}
            </a>
            {id === caller.userId && <span class="soft"> {t("(you)")}</span>}
            <span class="below">
              {title !== null && <span dir="auto">{title}</span>}
              {email !== null && <span class="email">{email}</span>}
            </span>
          </div>
        </div>
      </td>
      <td class="state">
        {organizationRoleLabels[role]}
        {user.deactivated === true && <span class="tag bad">{t("Can't sign in")}</span>}
      </td>
      <td class="where">
        <bdi>{describeWorkspaces(user)}</bdi>
      </td>
      <td class="due">
        {/* The heading of the column is missing on a card. */}
        <span class="in-column">
          {active === null ? t("Never") : <Moment at={new Date(active)} />}
        </span>
        <span class="on-card">
          {active === null
            ? t("Never active")
            : tRich("Active {at}", {
                at: <Moment at={new Date(active)} inline />,
              })}
        </span>
      </td>
      <td class="who">
        {user.open_tasks === 0 ? t("No open tasks") : countOf(user.open_tasks, "open task")}
      </td>
    </tr>
  );
}

const placesOf = {
  admin: "{name} (admin)",
  member: "{name} (member)",
  viewer: "{name} (viewer)",
} as const;

function describeWorkspaces({ workspaces, organization_role: role }: UserRow): string {
  if (role !== "member") return t("All workspaces");
  const [first, ...others] = workspaces;
  if (first === undefined) return t("No workspace");
  const place = t(placesOf[first.role], { name: first.name });
  if (others.length === 0) return place;
  return others.length === 9
    ? t("{place} and 9 or more others", { place })
    : t("{place} and {count, plural, one {# other} other {# others}}", {
        place,
        count: others.length,
      });
}

function Open({ invitations, caller }: { invitations: Invitations; caller: Caller }): VNode {
  const { page } = invitations;
  return (
    <section class="open-invitations" aria-labelledby="invitations">
      <h2 id="invitations">{t("Open invitations")}</h2>
      {page.invites.length === 0 ? (
        <p class="soft">{t("No open invitations.")}</p>
      ) : (
        <>
          <ListCount shown={page.invites.length} total={page.total_count} one="invitation" />
          <InvitationRows invitations={invitations} caller={caller} />
        </>
      )}
      <p>
        <a href={invitationsAddress}>{t("All invitations")}</a>
      </p>
    </section>
  );
}
