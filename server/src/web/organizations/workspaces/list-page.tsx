import type { ComponentChildren, VNode } from "preact";
import { liveAssetStates, type AssetState } from "../../../db/entities/assets.js";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import {
  countAssetStates,
  listWorkspaces,
  type WorkspacePage as FoundWorkspaces,
  type WorkspaceRow,
} from "../../../domain/organizations/workspaces.js";
import { exportWorkspaces } from "../../../domain/exchange/export-lists.js";
import { workspaceColumns } from "../../../domain/exchange/headings.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { ImportLink } from "../../lists/export-links.js";
import { ListBody, listRoute } from "../../lists/list-route.js";
import { FilterForm } from "../../lists/filters.js";
import { toPageQuery } from "../../lists/list-query.js";
import { readForm, textField } from "../../forms/form-fields.js";
import { Page } from "../../layout/layout.js";
import { ActionLink, OfSubject, PageHead } from "../../layout/page-head.js";
import { Dots, Popover } from "../../layout/popover.js";
import { ListCount } from "../../lists/pager.js";
import { AlertBadge, AssetBadge, assetTones } from "../../layout/badges.js";
import { EmptyState } from "../../layout/notices.js";
import { ErrorSummary, type FormError } from "../../layout/error-summary.js";
import { workspaceFormsAddress, workspacesAddress as address } from "./addresses.js";
import { countOf, formatNumber, withColon } from "../../text/format.js";
import { assetStateLabels } from "../../text/value-labels.js";
import { Markdown } from "../../text/markdown.js";

const rowsOnPage = 30;
const maxQuery = 200;
/** The list truncates longer descriptions. */
const shownOfDescription = 120;
const listFields = { q: textField("Search"), cursor: textField("Page") };

/**
 * `/workspaces`: the places of an organization. Tools formerly used `/workspaces#wsp_…` as an
 * address.
 */
export const workspaceListPages = listRoute({
  path: address,
  read: (_, query) => readFilters(query),
  find: async ({ app, db, caller }, listing) => {
    const page = await listWorkspaces(db, caller, listing, app.services.cursors);
    const ids = page.workspaces.map(({ id }) => id);
    return { page, states: await countAssetStates(db, caller, ids) };
  },
  more: async () => ({}),
  page: (view) => <WorkspacesPage {...view} />,
  columns: workspaceColumns,
  rows: (db, caller, { query }) => exportWorkspaces(db, caller, query),
});

function readFilters(asked: unknown) {
  const { values, given } = readForm(asked, listFields);
  const errors = findWrong(given.q);
  const query = errors.length > 0 ? undefined : given.q?.trim();
  return { values, listing: { query, limit: rowsOnPage, cursor: given.cursor }, errors };
}

function findWrong(q = ""): FormError[] {
  if (q.length <= maxQuery) return [];
  return [{ field: "q", message: t("Search for at most {max} characters.", { max: maxQuery }) }];
}

type AssetStates = Partial<Record<AssetState, number>>;

interface WorkspacesView {
  caller: Caller;
  page: FoundWorkspaces;
  states: ReadonlyMap<string, AssetStates>;
  filters: Pick<ReturnType<typeof readFilters>, "values">;
  errors: readonly FormError[];
}

function WorkspacesPage(view: WorkspacesView): VNode {
  const { caller, page, states, errors } = view;
  const { values } = view.filters;
  const { workspaces, total_count } = page;
  const isAdmin = isOrganizationAdmin(caller);
  const query = toPageQuery(values);
  const isSearched = query.has("q");
  const isEverything = !isSearched && !query.has("cursor");
  return (
    <Page title={t("Workspaces")} width="wide" current={address}>
      <PageHead
        title={t("Workspaces")}
        {...(isAdmin && {
          actions: (
            <>
              <ImportLink kind="workspaces" />
              <ActionLink href={`${workspaceFormsAddress}/new`}>{t("Add a workspace")}</ActionLink>
            </>
          ),
        })}
      />
      <ErrorSummary errors={errors} />
      {total_count === 0 && isEverything ? (
        <NoWorkspace isAdmin={isAdmin} organization={caller.organizationName} />
      ) : (
        <>
          <FilterForm path={address} label={t("Workspaces")} q={values.q} isNarrowed={isSearched} />
          <ListBody path={address} values={values} page={page}>
            {total_count === 0 ? (
              <EmptyState title={t("No workspace has that name")}>
                <p>
                  <a href={address}>{t("View all workspaces")}</a>
                </p>
              </EmptyState>
            ) : (
              <ListCount shown={workspaces.length} total={total_count} one="workspace" />
            )}
            {toSites(workspaces).map(({ site, places }) => (
              <Site key={site} site={site}>
                {places.map((workspace) => (
                  <Place
                    key={workspace.id}
                    workspace={workspace}
                    states={states.get(workspace.id) ?? {}}
                    isInSite={site !== ""}
                    isAdmin={isAdmin}
                  />
                ))}
              </Site>
            ))}
          </ListBody>
        </>
      )}
    </Page>
  );
}

function NoWorkspace({ isAdmin, organization }: { isAdmin: boolean; organization: string }): VNode {
  if (!isAdmin) {
    return (
      <EmptyState title={t("You're not in a workspace yet")}>
        <p>
          {t("Ask an owner or admin of {organization} to add you to a workspace.", {
            organization,
          })}
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t("No workspaces yet")}>
      <p>
        {t(
          "A workspace is a site, a building, a fleet or a team's area. People see the assets and tasks of their workspaces.",
        )}
      </p>
      <p>
        <ActionLink href={`${workspaceFormsAddress}/new`}>{t("Add a workspace")}</ActionLink>
      </p>
    </EmptyState>
  );
}

const ownRoles = translated({
  admin: "Your role: admin",
  member: "Your role: member",
  viewer: "Your role: viewer",
});

/** Workspaces of one address belong together. The others follow. */
function toSites(workspaces: readonly WorkspaceRow[]) {
  const byAddress = new Map<string, WorkspaceRow[]>();
  for (const workspace of workspaces) {
    const site = workspace.address ?? "";
    byAddress.set(site, [...(byAddress.get(site) ?? []), workspace]);
  }
  const sites = [...byAddress].map(([site, places]) => ({ site, places }));
  const isShared = ({ site, places }: (typeof sites)[number]) => site !== "" && places.length > 1;
  const shared = sites.filter(isShared);
  const others = workspaces.filter((one) => !shared.some(({ places }) => places.includes(one)));
  return others.length === 0 ? shared : [...shared, { site: "", places: others }];
}

function Site({ site, children }: { site: string; children: ComponentChildren }): VNode {
  const places = <ul class="places">{children}</ul>;
  if (site === "") return places;
  return (
    <section class="site-places" aria-label={site}>
      <p class="site-address" dir="auto">
        {site}
      </p>
      {places}
    </section>
  );
}

interface PlaceProps {
  workspace: WorkspaceRow;
  states: AssetStates;
  /** True if the address is above the card. */
  isInSite: boolean;
  isAdmin: boolean;
}

function Place({ workspace, states, isInSite, isAdmin }: PlaceProps): VNode {
  const { id, name, description, address: postal, my_role } = workspace;
  return (
    <li id={id} class="place">
      <div class="place-head">
        <h2>
          <a class="thing" href={`${address}/${id}`}>
            <bdi>{name}</bdi>
          </a>
        </h2>
        {my_role !== "viewer" && <PlaceActions workspace={workspace} />}
      </div>
      {postal !== null && !isInSite && (
        <p class="soft" dir="auto">
          {postal}
        </p>
      )}
      {description !== null && (
        <Markdown
          text={description.length === shownOfDescription ? `${description}…` : description}
        />
      )}
      <div class="place-figures">
        <AssetHealth workspace={workspace} states={states} />
        <Counts workspace={workspace} />
        <p class="soft">
          {countOf(workspace.members, "member")}
          {!isAdmin && <> · {ownRoles[my_role]}</>}
        </p>
      </div>
    </li>
  );
}

function PlaceActions({ workspace: { id, name, my_role } }: { workspace: WorkspaceRow }): VNode {
  return (
    <Popover
      class="menu acting dots"
      label={
        <>
          <Dots words={t("Actions")} />
          <OfSubject name={name} />
        </>
      }
    >
      <ul>
        <li>
          <a href={`/rounds/new?workspace=${id}`}>
            {tRich("Start a round<hidden> in {name}</hidden>", { name, hidden })}
          </a>
        </li>
        {my_role === "admin" && (
          <li>
            <a class="place-edit" href={`${workspaceFormsAddress}/${id}`}>
              {tRich("Edit<hidden> {name}</hidden>", { name, hidden })}
            </a>
          </li>
        )}
      </ul>
    </Popover>
  );
}

function hidden(words: ComponentChildren): VNode {
  return <span class="visually-hidden">{words}</span>;
}

/** The shares of the bar, from ready for use to out of service. */
const healthOrder: readonly AssetState[][] = [
  ["available", "in_use"],
  ["stored"],
  ["in_maintenance"],
  ["out_of_service"],
];

/** The assets by readiness as a bar, and those that aren't ready as links. */
function AssetHealth({
  workspace: { id, name, asset_count: total },
  states,
}: Pick<PlaceProps, "workspace" | "states">): VNode | null {
  if (total === 0) return null;
  const countOfState = (state: AssetState) => states[state] ?? 0;
  const words = liveAssetStates
    .filter((state) => countOfState(state) > 0)
    .map((state) => `${withColon(assetStateLabels[state])} ${formatNumber(countOfState(state))}`);
  let end = 0;
  return (
    <>
      <svg
        class="health"
        role="img"
        aria-label={words.join(", ")}
        viewBox={`0 0 ${total} 1`}
        preserveAspectRatio="none"
      >
        {healthOrder.map((group) => {
          const [state = "available"] = group;
          const width = group.reduce((sum, one) => sum + countOfState(one), 0);
          end += width;
          return (
            <rect key={state} class={assetTones[state]} x={end - width} width={width} height="1" />
          );
        })}
      </svg>
      <p class="unready">
        {(["out_of_service", "in_maintenance"] as const)
          .filter((state) => countOfState(state) > 0)
          .map((state) => (
            <a key={state} href={`/assets?workspace_id=${id}&state=${state}`}>
              <AssetBadge state={state} /> {formatNumber(countOfState(state))}
              <span class="visually-hidden">{t(" in {name}", { name })}</span>
            </a>
          ))}
      </p>
    </>
  );
}

function Counts({ workspace }: { workspace: WorkspaceRow }): VNode {
  const { id, name, asset_count, open_tasks, overdue_tasks } = workspace;
  const place = <span class="visually-hidden">{t(" in {name}", { name })}</span>;
  return (
    <ul class="counts">
      <li>
        <a href={`/assets?workspace_id=${id}`}>
          {countOf(asset_count, "asset")}
          {place}
        </a>
      </li>
      <li>
        <a href={`/tasks?workspace_id=${id}`}>
          {countOf(open_tasks, "open task")}
          {place}
        </a>
      </li>
      {overdue_tasks > 0 && (
        <li>
          <a href={`/tasks?state=overdue&workspace_id=${id}`}>
            <AlertBadge>
              {t("{number} overdue", { number: formatNumber(overdue_tasks) })}
              {place}
            </AlertBadge>
          </a>
        </li>
      )}
    </ul>
  );
}
