import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { mayAddAssets } from "../../domain/assets/asset-permissions.js";
import { listAssets, type AssetPage } from "../../domain/assets/asset-queries.js";
import { findCategoryNames } from "../../domain/assets/categories.js";
import { todayOf } from "../../domain/access/clock.js";
import { findWorkspaceChoices } from "../../domain/workspaces/workspace-choices.js";
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
import { AssetListRow, DidYouMean, Filters } from "./list-parts.js";
import { WrongFilters } from "../lists/wrong-filters.js";

const path = "/assets";
const nothing: AssetPage = { assets: [], total_count: 0 };

/** `/assets`: the assets of the organization. */
export const assetListPages: FastifyPluginAsync = async (app) => {
  app.get(path, { preHandler: app.requireMember }, async (request, reply) => {
    const caller = callerOf(request);
    const filters = readFilters(request.query);
    const { listing } = filters;
    const db = request.db.manager;
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

    async function find(): Promise<Pick<ListView, "page" | "errors">> {
      const { errors } = filters;
      try {
        const page = await listAssets(db, caller, listing, app.cursors);
        return { page, errors };
      } catch (error) {
        return { page: nothing, errors: [...errors, ...toFormErrors(error)] };
      }
    }

    async function hasAnyAsset(): Promise<boolean> {
      const all = { state: "all", sort: "name", limit: 1 } as const;
      return (await listAssets(db, caller, all, app.cursors)).total_count > 0;
    }
  });
};

interface ListView {
  filters: ReadFilters;
  workspaces: readonly Option[];
  people: readonly Option[];
  categories: readonly string[];
  page: AssetPage;
  errors: readonly FormError[];
  mayAdd: boolean;
  /** Whether there is no asset at all yet. */
  isFirstStep: boolean;
  today: string;
}

function AssetsPage(view: ListView): VNode {
  const { filters, page, errors, mayAdd, isFirstStep, today } = view;
  return (
    <Page title="Assets" width="wide" current={path}>
      <PageHead
        title="Assets"
        actions={mayAdd && <ActionLink href="/assets/new">Add an asset</ActionLink>}
      />
      {isFirstStep && errors.length === 0 ? (
        <FirstStep mayAdd={mayAdd} />
      ) : (
        <>
          <Filters path={path} {...view} />
          {errors.length > 0 && <WrongFilters errors={errors} />}
          {page.assets.length === 0 ? (
            <NothingFound {...view} />
          ) : (
            <>
              <ListCount
                shown={page.assets.length}
                total={page.total_count}
                isMinimum={page.total_is_minimum}
                one="asset"
              />
              <ul class="things asset-list">
                {page.assets.map((asset) => (
                  <AssetListRow key={asset.id} asset={asset} today={today} />
                ))}
              </ul>
            </>
          )}
          <Pager path={path} query={toPagerQuery(filters)} nextCursor={page.next_cursor} />
        </>
      )}
    </Page>
  );
}

function FirstStep({ mayAdd }: { mayAdd: boolean }): VNode {
  return (
    <EmptyState title="No assets yet">
      <p>
        Keep here what your organization owns and looks after: machines, vehicles, tools, devices.
        Each asset gets an inventory number and a label to scan, and remembers what happened to it.
      </p>
      {mayAdd ? (
        <p>
          <ActionLink href="/assets/new">Add an asset</ActionLink>
        </p>
      ) : (
        <p>An admin of your organization, or a member of a workspace, can add the first one.</p>
      )}
    </EmptyState>
  );
}

function NothingFound({ filters, page, errors }: ListView): VNode {
  const isUnread = errors.length > 0;
  return (
    <EmptyState title={isUnread ? "Nothing to list" : "No asset was found"}>
      {page.did_you_mean !== undefined && (
        <DidYouMean path={path} suggestions={page.did_you_mean} values={filters.values} />
      )}
      <p>
        {isNarrowed(filters) ? (
          <>
            <a href={toAddress(path, toQuery({ sort: filters.values.sort }))}>Clear all filters</a>,
            or change the search.
          </>
        ) : isUnread ? (
          <a href={path}>Back to the first page</a>
        ) : (
          <a href={toAddress(path, toQuery({ state: "all" }))}>Show retired assets too</a>
        )}
      </p>
    </EmptyState>
  );
}
