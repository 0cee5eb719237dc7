import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import { mayAddAssets } from "../../domain/assets/asset-permissions.js";
import { listAssets, type AssetPage } from "../../domain/assets/asset-queries.js";
import { findCategoryNames } from "../../domain/assets/categories.js";
import { exportAssets } from "../../domain/exchange/export-lists.js";
import { assetColumns as exportedColumns } from "../../domain/exchange/headings.js";
import { findSavedViews, type View } from "../../domain/people/saved-views.js";
import { findCoverPictures } from "../../domain/files/find-files.js";
import { findWorkspaceChoices } from "../../domain/organizations/workspace-choices.js";
import { t, tRich } from "../../language/translate.js";
import { personOptions } from "../forms/choices.js";
import { toNamedOptions, type Option } from "../forms/controls.js";
import { Page } from "../layout/layout.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { toAddress, ListCount } from "../lists/pager.js";
import { EmptyState } from "../layout/notices.js";
import { type FormError } from "../layout/error-summary.js";
import { isNarrowed, readFilters, toQuery, usual, type ReadFilters } from "./list-filters.js";
import { ChosenBar, ListTable, type ColumnChoice } from "../lists/list-table.js";
import { AssetListRow, chooseAssetColumns, DidYouMean, Filters } from "./list-parts.js";
import { savedViewForm, Views } from "../lists/saved-views.js";
import { ListBody, listRoute } from "../lists/list-route.js";
import { ImportLink } from "../lists/export-links.js";
import { WrongFilters } from "../lists/wrong-filters.js";
import { requireMember } from "../../plugins/members.js";

const path = "/assets";
const nothing: Pick<ListView, "page" | "covers"> = {
  page: { assets: [], total_count: 0 },
  covers: new Map(),
};

/** `/assets`: the assets of the organization. */
const assetList = listRoute({
  path,
  usual,
  read: (_, query) => readFilters(query),
  find: async ({ app, db, caller }, listing) => {
    const page = await listAssets(db, caller, listing, app.services.cursors);
    const ids = page.assets.map(({ id }) => id);
    return { page, covers: await findCoverPictures(db, caller, ids) };
  },
  nothing,
  countAll: async ({ app, db, caller }) => {
    const all = { state: "all", sort: "name", limit: 1 } as const;
    return (await listAssets(db, caller, all, app.services.cursors)).total_count;
  },
  more: async ({ db, caller }) => {
    const [workspaces, people, categories, savedViews] = await Promise.all([
      findWorkspaceChoices(db, caller),
      personOptions(db, caller),
      findCategoryNames(db, caller),
      findSavedViews(db, caller, "assets"),
    ]);
    const mayAdd = mayAddAssets(caller, workspaces);
    return { workspaces: toNamedOptions(workspaces), people, categories, mayAdd, savedViews };
  },
  page: (view) => <AssetsPage {...view} />,
  columns: exportedColumns,
  rows: exportAssets,
});

export const assetListPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(assetList);
  await app.register(savedViewForm("assets", () => t("Assets")));
};

interface ListView {
  filters: ReadFilters;
  chosenColumns: readonly string[];
  workspaces: readonly Option[];
  people: readonly Option[];
  categories: readonly string[];
  savedViews: readonly View[];
  page: AssetPage;
  /** The id of each asset's newest picture, by asset id. */
  covers: ReadonlyMap<string, string>;
  errors: readonly FormError[];
  mayAdd: boolean;
  /** True if there are no assets yet. */
  isFirstStep: boolean;
  today: string;
}

function AssetsPage(view: ListView): VNode {
  const { filters, page, errors, mayAdd, isFirstStep } = view;
  const columns = chooseAssetColumns(view.chosenColumns, filters.values, page.assets);
  return (
    <Page title={t("Assets")} width="wide" current={path}>
      <PageHead
        title={t("Assets")}
        actions={
          <>
            <ActionLink href="/scan" quiet>
              {t("Scan")}
            </ActionLink>
            {mayAdd && (
              <>
                <ImportLink kind="assets" />
                <ActionLink href="/assets/new">{t("Add an asset")}</ActionLink>
              </>
            )}
          </>
        }
      />
      {isFirstStep && errors.length === 0 ? (
        <FirstStep mayAdd={mayAdd} />
      ) : (
        <>
          <Views
            path={path}
            usual={[{ label: t("All||assets"), query: toQuery({}) }]}
            saved={view.savedViews}
            current={toQuery(filters.values)}
          />
          <Filters path={path} columns={columns} {...view} />
          {errors.length > 0 && <WrongFilters errors={errors} />}
          <ListBody path={path} values={filters.values} usual={usual} page={page}>
            {page.assets.length === 0 ? (
              <NothingFound {...view} />
            ) : (
              <List columns={columns} {...view} />
            )}
          </ListBody>
        </>
      )}
    </Page>
  );
}

function List({
  columns: { shown },
  filters,
  page,
  covers,
  mayAdd,
  today,
}: ListView & { columns: ColumnChoice }): VNode {
  const { assets, total_count: total, total_is_minimum: isMinimum } = page;
  const isByCloseness = filters.values.q.trim() !== "" && filters.values.sort === "name";
  return (
    <>
      <ListCount shown={assets.length} total={total} isMinimum={isMinimum} one="asset" />
      <ListTable
        label={t("Assets")}
        columns={shown}
        sort={isByCloseness ? undefined : { path, values: filters.values, usual }}
      >
        {assets.map((asset) => (
          <AssetListRow
            key={asset.id}
            asset={asset}
            columns={shown}
            today={today}
            cover={covers.get(asset.id)}
          />
        ))}
      </ListTable>
      <ChosenBar path={path} mayChange={mayAdd}>
        <button type="submit" class="quiet" formaction="/labels/new">
          {t("Print selected labels")}
        </button>
      </ChosenBar>
      <p class="actions no-print">
        <a class="button quiet" href={toAddress("/labels/new", toQuery(filters.values))}>
          {isMinimum
            ? t("Print all labels")
            : t("Print {count, plural, one {# label} other {# labels}}", { count: total })}
        </a>
      </p>
    </>
  );
}

function FirstStep({ mayAdd }: { mayAdd: boolean }): VNode {
  return (
    <EmptyState title={t("No assets yet")}>
      <p>
        {t(
          "Keep track of what your organization owns: machines, vehicles, tools, devices. Each asset gets an inventory number, a label to scan and a history.",
        )}
      </p>
      {mayAdd ? (
        <p>
          <ActionLink href="/assets/new">{t("Add an asset")}</ActionLink>{" "}
          <ImportLink kind="assets" />
        </p>
      ) : (
        <p>{t("An organization admin or a workspace member can add the first one.")}</p>
      )}
    </EmptyState>
  );
}

function NothingFound({ filters, page, errors }: ListView): VNode {
  const isUnread = errors.length > 0;
  return (
    <EmptyState title={isUnread ? t("Nothing to show") : t("No assets match")}>
      {page.did_you_mean !== undefined && (
        <DidYouMean path={path} suggestions={page.did_you_mean} values={filters.values} />
      )}
      <p>
        {isNarrowed(filters) ? (
          tRich("<a>Clear all filters</a>, or change the search.", {
            a: (words: ComponentChildren) => (
              <a href={toAddress(path, toQuery({ sort: filters.values.sort }))}>{words}</a>
            ),
          })
        ) : isUnread ? (
          <a href={path}>{t("Back to the first page")}</a>
        ) : (
          <a href={toAddress(path, toQuery({ state: "all" }))}>{t("Include retired assets")}</a>
        )}
      </p>
    </EmptyState>
  );
}
