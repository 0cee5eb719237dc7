import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import { mayAddAssets } from "../../domain/assets/asset-permissions.js";
import { listAssets, type AssetPage } from "../../domain/assets/asset-queries.js";
import { findCategoryNames } from "../../domain/assets/categories.js";
import { todayOf } from "../../domain/access/clock.js";
import { findCoverPictures } from "../../domain/files/find-files.js";
import { findWorkspaceChoices } from "../../domain/organizations/workspace-choices.js";
import { t, tRich } from "../../language/translate.js";
import { personOptions } from "../forms/choices.js";
import { toNamedOptions, type Option } from "../forms/controls.js";
import { toFormErrors } from "../forms/form-errors.js";
import { Page } from "../layout/layout.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { toAddress, Pager, ListCount } from "../lists/pager.js";
import { EmptyState } from "../layout/notices.js";
import { type FormError } from "../layout/error-summary.js";
import { callerOf, sendPage } from "../layout/reply.js";
import {
  isNarrowed,
  readFilters,
  toPagerQuery,
  toQuery,
  type ReadFilters,
} from "./list-filters.js";
import { ChosenBar, ListTable } from "../lists/list-table.js";
import { assetColumns, AssetListRow, DidYouMean, Filters } from "./list-parts.js";
import { ExportLinks, ImportLink } from "../lists/export-links.js";
import { WrongFilters } from "../lists/wrong-filters.js";
import { requireMember } from "../../plugins/members.js";

const path = "/assets";
const nothing: AssetPage = { assets: [], total_count: 0 };

/** `/assets`: the assets of the organization. */
export const assetListPages: FastifyPluginAsync = async (app) => {
  app.get(path, { preHandler: requireMember }, async (request, reply) => {
    const caller = callerOf(request);
    const filters = readFilters(request.query);
    const { listing } = filters;
    const db = request.db;
    const [found, workspaces, people, categories] = await Promise.all([
      find(),
      findWorkspaceChoices(db, caller),
      personOptions(db, caller),
      findCategoryNames(db, caller),
    ]);
    const view: ListView = {
      filters,
      people,
      categories,
      today: todayOf(caller),
      ...found,
      workspaces: toNamedOptions(workspaces),
      mayAdd: mayAddAssets(caller, workspaces),
      isFirstStep: found.page.total_count === 0 && !(await hasAnyAsset()),
    };
    return sendPage(reply.code(found.errors.length === 0 ? 200 : 400), <AssetsPage {...view} />);

    async function find(): Promise<Pick<ListView, "page" | "covers" | "errors">> {
      const { errors } = filters;
      try {
        const page = await listAssets(db, caller, listing, app.services.cursors);
        const ids = page.assets.map(({ id }) => id);
        return { page, covers: await findCoverPictures(db, caller, ids), errors };
      } catch (error) {
        const covers = new Map<string, string>();
        return { page: nothing, covers, errors: [...errors, ...toFormErrors(error)] };
      }
    }

    async function hasAnyAsset(): Promise<boolean> {
      const all = { state: "all", sort: "name", limit: 1 } as const;
      return (await listAssets(db, caller, all, app.services.cursors)).total_count > 0;
    }
  });
};

interface ListView {
  filters: ReadFilters;
  workspaces: readonly Option[];
  people: readonly Option[];
  categories: readonly string[];
  page: AssetPage;
  /** The newest picture of an asset, by its id. */
  covers: ReadonlyMap<string, string>;
  errors: readonly FormError[];
  mayAdd: boolean;
  /** Whether there is no asset at all yet. */
  isFirstStep: boolean;
  today: string;
}

function AssetsPage(view: ListView): VNode {
  const { filters, page, errors, mayAdd, isFirstStep } = view;
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
          <Filters path={path} {...view} />
          {errors.length > 0 && <WrongFilters errors={errors} />}
          {page.assets.length === 0 ? <NothingFound {...view} /> : <List {...view} />}
          <Pager path={path} query={toPagerQuery(filters)} nextCursor={page.next_cursor} />
          {page.assets.length > 0 && <ExportLinks path={path} query={toQuery(filters.values)} />}
        </>
      )}
    </Page>
  );
}

function List({ filters, page, covers, mayAdd, today }: ListView): VNode {
  const { assets, total_count: total, total_is_minimum: isMinimum } = page;
  return (
    <>
      <ListCount shown={assets.length} total={total} isMinimum={isMinimum} one="asset" />
      <ListTable label={t("Assets")} columns={assetColumns()}>
        {assets.map((asset) => (
          <AssetListRow key={asset.id} asset={asset} today={today} cover={covers.get(asset.id)} />
        ))}
      </ListTable>
      <ChosenBar path={path} mayChange={mayAdd}>
        <button type="submit" class="quiet" formaction="/labels/new">
          {t("Print labels of the chosen ones")}
        </button>
      </ChosenBar>
      <p class="actions no-print">
        <a class="button quiet" href={toAddress("/labels/new", toQuery(filters.values))}>
          {t("Print labels of all that were found")}
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
          "Keep here what your organization owns and looks after: machines, vehicles, tools, devices. Each asset gets an inventory number and a label to scan, and remembers what happened to it.",
        )}
      </p>
      {mayAdd ? (
        <p>
          <ActionLink href="/assets/new">{t("Add an asset")}</ActionLink>{" "}
          <ImportLink kind="assets" />
        </p>
      ) : (
        <p>
          {t("An admin of your organization, or a member of a workspace, can add the first one.")}
        </p>
      )}
    </EmptyState>
  );
}

function NothingFound({ filters, page, errors }: ListView): VNode {
  const isUnread = errors.length > 0;
  return (
    <EmptyState title={isUnread ? t("Nothing to list") : t("No asset was found")}>
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
          <a href={toAddress(path, toQuery({ state: "all" }))}>{t("Show retired assets too")}</a>
        )}
      </p>
    </EmptyState>
  );
}
