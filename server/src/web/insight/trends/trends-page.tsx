import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { Caller } from "../../../domain/access/caller.js";
import { unlessTooSlow } from "../../../db/query-errors.js";
import { getTrends, type Month, type Trends } from "../../../domain/insight/trends.js";
import { findWorkspaceChoices } from "../../../domain/organizations/workspace-choices.js";
import { t, tRich } from "../../../language/translate.js";
import { toNamedOptions, type Option } from "../../forms/controls.js";
import { choiceField, readForm, textField } from "../../forms/form-fields.js";
import { Page } from "../../layout/layout.js";
import { EmptyState } from "../../layout/notices.js";
import { PageHead } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { FilterForm, FilterSelect } from "../../lists/filters.js";
import { toListQuery } from "../../lists/list-query.js";
import { toAddress } from "../../lists/pager.js";
import { formatDay } from "../../text/format.js";
import { monthPage } from "./month-page.js";
import { MonthCharts, MonthTable } from "./months.js";
import { GroupTable, WorstAssets } from "./trend-tables.js";
import { requireMember } from "../../../plugins/members.js";

const path = "/trends";

const filterFields = {
  workspace_id: textField("Workspace"),
  all: choiceField("Show", ["workspace", "category"]),
};

/** `/trends`: changes over the last twelve months. */
export const trendPages: FastifyPluginAsync = async (app) => {
  await app.register(monthPage);
  app.get(path, { preHandler: requireMember }, async (request, reply) => {
    const caller = callerOf(request);
    const db = request.db;
    const { values, given } = readForm(request.query, filterFields);
    const [trends, workspaces] = await Promise.all([
      unlessTooSlow(getTrends(db, caller, { workspace: given.workspace_id })),
      findWorkspaceChoices(db, caller),
    ]);
    const view = {
      caller,
      trends,
      workspaces: toNamedOptions(workspaces),
      workspaceId: values.workspace_id,
      all: given.all,
    };
    return sendPage(reply, <TrendsPage {...view} />);
  });
};

interface TrendsView {
  caller: Caller;
  /** Undefined if there is too much data to total in time. */
  trends: Trends | undefined;
  workspaces: readonly Option[];
  workspaceId: string;
  /** The table that shows all its rows. */
  all: "workspace" | "category" | undefined;
}

function TrendsPage({ caller, trends, workspaces, workspaceId, all }: TrendsView): VNode {
  return (
    <Page title={t("Trends")} width="wide" current={path}>
      <PageHead title={t("Trends")} facts={trends && describeScope(caller, trends)} />
      {workspaces.length > 1 && (
        <FilterForm path={path} label={t("Trends")} isNarrowed={workspaceId !== ""}>
          <FilterSelect
            name="workspace_id"
            label={t("Workspace")}
            value={workspaceId}
            any={t("All")}
            options={workspaces}
          />
        </FilterForm>
      )}
      {trends === undefined ? (
        <EmptyState title={t("Too much data to total here")}>
          <p>{t("Choose one workspace.")}</p>
        </EmptyState>
      ) : (
        <TrendsOf trends={trends} caller={caller} all={all} />
      )}
    </Page>
  );
}

function describeScope(caller: Caller, { scope, workspace, months, today }: Trends): VNode {
  const from = formatDay(`${months[0]?.month ?? today.slice(0, 7)}-01`);
  const to = formatDay(today);
  const name = scope === "organization" ? caller.organizationName : workspace?.name;
  return (
    <span>
      {name === undefined
        ? tRich("Your workspaces in {name}, {from} to {to}", {
            name: <bdi>{caller.organizationName}</bdi>,
            from,
            to,
          })
        : tRich("{name}, {from} to {to}", { name: <bdi>{name}</bdi>, from, to })}
    </span>
  );
}

function TrendsOf({
  trends,
  caller,
  all,
}: {
  trends: Trends;
  caller: Caller;
  all: TrendsView["all"];
}): VNode {
  const { months, workspace, workspaces, categories, failing, down, costly } = trends;
  const groups = (of: "workspace" | "category") => ({
    of,
    isAll: of === all,
    allHref: `${toAddress(path, toListQuery({ workspace_id: workspace?.id, all: of }, {}))}#by-${of}`,
  });
  if (months.every(isQuiet) && categories.groups.length === 0) {
    return (
      <EmptyState title={t("Nothing to compare yet")}>
        <p>{t("Complete some work, and monthly trends appear here.")}</p>
      </EmptyState>
    );
  }
  return (
    <div class="trends">
      <MonthCharts trends={trends} currency={caller.currency} />
      <MonthTable months={months} />
      <WorstAssets failing={failing} down={down} costly={costly} />
      {workspaces !== undefined && (
        <GroupTable title={t("By workspace")} stats={workspaces} {...groups("workspace")} />
      )}
      <GroupTable title={t("By category")} stats={categories} {...groups("category")} />
    </div>
  );
}

function isQuiet({ planned_due, completed_tasks, failures, down_hours }: Month): boolean {
  return planned_due + completed_tasks + failures + down_hours === 0;
}
