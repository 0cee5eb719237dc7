import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { HistoryEventType } from "../../db/entities/history.js";
import { getAssetId } from "../../domain/shared/asset-references.js";
import { searchHistory, type HistoryPage } from "../../domain/history/history-queries.js";
import { t, translated } from "../../language/translate.js";
import { toOptions } from "../forms/controls.js";
import { choiceField, dayField, readForm, textField, type ReadForm } from "../forms/form-fields.js";
import { FilterDay, FilterForm, FilterSelect } from "../lists/filters.js";
import { toPageQuery } from "../lists/list-query.js";
import { toFormErrors } from "../forms/form-errors.js";
import { HistoryList } from "../history/history-list.js";
import { Page } from "../layout/layout.js";
import { Pager, ListCount } from "../lists/pager.js";
import { EmptyState } from "../layout/notices.js";
import { type FormError } from "../layout/error-summary.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { choicesOf } from "../text/value-labels.js";
import { WrongFilters } from "../lists/wrong-filters.js";
import { requireMember } from "../../plugins/members.js";
import { AssetActions } from "./asset-actions.js";
import { AssetHead, toTabAddress } from "./asset-head.js";
import { readAssetView, type AssetView } from "./asset-view.js";

const kindLabels = translated({
  state: "State, retired, restored",
  place: "Places and people",
  details: "Details",
  tasks: "Tasks",
  notes: "Notes",
});

type Kind = keyof typeof kindLabels;

const typesOf: Record<Kind, HistoryEventType[]> = {
  state: ["asset_state_changed", "asset_deleted", "asset_restored"],
  place: ["asset_moved", "asset_assigned"],
  details: ["asset_created", "asset_updated"],
  tasks: ["task_created", "task_updated", "task_state_changed", "task_completed", "task_cancelled"],
  notes: ["note_added"],
};

const filterFields = {
  kind: choiceField("Kind", choicesOf(kindLabels)),
  from: dayField("From"),
  to: dayField("To"),
  cursor: textField("Page"),
};

type Filters = ReadForm<typeof filterFields>;

const eventsOnPage = 50;
const nothing: HistoryPage = { events: [], total_count: 0 };

/** `/assets/:id/history`: the asset's complete history. */
export const assetHistoryPages: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { id: string } }>(
    "/assets/:id/history",
    { preHandler: requireMember },
    async (request, reply) => {
      const caller = callerOf(request);
      const db = request.db;
      const id = await getAssetId(db, caller, request.params.id);
      const filters = readForm(request.query, filterFields);
      const [asset, found] = await Promise.all([
        readAssetView(db, caller, id, app.services.labelLinks),
        find(),
      ]);
      const view = { asset, filters, ...found };
      const { errors } = found;
      return sendPage(reply.code(errors.length === 0 ? 200 : 400), <AssetHistoryPage {...view} />);

      async function find(): Promise<Pick<HistoryView, "page" | "errors">> {
        const { given, errors } = filters;
        const { kind, from, to, cursor } = given;
        const types = kind === undefined ? undefined : typesOf[kind];
        const listing = { asset_id: id, event_types: types, from, to, cursor };
        const order = { order: "newest", limit: eventsOnPage } as const;
        try {
          const page = await searchHistory(
            db,
            caller,
            { ...listing, ...order },
            app.services.cursors,
          );
          return { page, errors };
        } catch (error) {
          return { page: nothing, errors: [...errors, ...toFormErrors(error)] };
        }
      }
    },
  );
};

interface HistoryView {
  asset: AssetView;
  filters: Filters;
  page: HistoryPage;
  errors: readonly FormError[];
}

function AssetHistoryPage(view: HistoryView): VNode {
  const { filters, page, errors } = view;
  const { asset, caller } = view.asset;
  const path = toTabAddress(asset, "history");
  return (
    <Page title={t("History of {name}", { name: asset.name })} width="wide" current={path}>
      <AssetHead
        view={view.asset}
        tab="history"
        actions={<AssetActions view={view.asset} scanned={false} />}
      />
      <HistoryFilters path={path} filters={filters} />
      {errors.length > 0 && <WrongFilters errors={errors} />}
      {page.events.length === 0 ? (
        <EmptyState title={t("No results")}>
          <p>
            <a href={path}>{t("Show everything that happened")}</a>
          </p>
        </EmptyState>
      ) : (
        <>
          <ListCount
            shown={page.events.length}
            total={page.total_count}
            isMinimum={page.total_is_minimum}
            one="event"
          />
          <HistoryList events={page.events} caller={caller} heading="h2" />
        </>
      )}
      <Pager path={path} query={toPageQuery(filters.values)} nextCursor={page.next_cursor} />
    </Page>
  );
}

function HistoryFilters({ path, filters: { values } }: { path: string; filters: Filters }): VNode {
  const { kind, from, to } = values;
  const isNarrowed = [kind, from, to].some((value) => value !== "");
  return (
    <FilterForm path={path} label={t("History")} isNarrowed={isNarrowed}>
      <FilterSelect
        name="kind"
        label={t("What")}
        value={kind}
        any={t("Everything")}
        options={toOptions(kindLabels)}
      />
      <FilterDay name="from" label={t("From")} value={from} />
      <FilterDay name="to" label={t("To")} value={to} />
    </FilterForm>
  );
}
