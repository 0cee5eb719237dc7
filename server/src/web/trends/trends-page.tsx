import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { Caller } from "../../domain/access/caller.js";
import { unlessTooSlow } from "../../domain/sql/query-errors.js";
import { getTrends, type Month, type Trends } from "../../domain/stats/trends.js";
import { findWorkspaceChoices } from "../../domain/workspaces/workspace-choices.js";
import { toNamedOptions, type Option } from "../forms/controls.js";
import { readForm, textField } from "../forms/form-fields.js";
import { Page } from "../layout/layout.js";
import { EmptyState } from "../layout/notices.js";
import { PageHead } from "../layout/page-head.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { FilterForm, FilterSelect } from "../lists/filters.js";
import { formatDay } from "../text/format.js";
import { MonthCharts, MonthTable } from "./months.js";
import { GroupTable, WorstAssets } from "./trend-tables.js";

const path = "/trends";

/** `/trends`: whether things get better, over the last twelve months. */
export const trendPages: FastifyPluginAsync = async (app) => {
  app.get(path, { preHandler: app.requireMember }, async (request, reply) => {
    const caller = callerOf(request);
    const db = request.db.manager;
    const { values, given } = readForm(request.query, { workspace_id: textField("Workspace") });
    const [trends, workspaces] = await Promise.all([
      unlessTooSlow(getTrends(db, caller, { workspace: given.workspace_id })),
      findWorkspaceChoices(db, caller),
    ]);
    const view = {
      caller,
      trends,
      workspaces: toNamedOptions(workspaces),
      workspaceId: values.workspace_id,
    };
    return sendPage(reply, <TrendsPage {...view} />);
  });
};

interface TrendsView {
  caller: Caller;
  /** Undefined where there is too much to add up in time. */
  trends: Trends | undefined;
  workspaces: readonly Option[];
  workspaceId: string;
}

function TrendsPage({ caller, trends, workspaces, workspaceId }: TrendsView): VNode {
  return (
    <Page title="Trends" width="wide" current={path}>
      <PageHead title="Trends" facts={trends && describeScope(caller, trends)} />
      {workspaces.length > 1 && (
        <FilterForm path={path} label="Trends" isNarrowed={workspaceId !== ""}>
          <FilterSelect
            name="workspace_id"
            label="Workspace"
            value={workspaceId}
            any="All"
            options={workspaces}
          />
        </FilterForm>
      )}
      {trends === undefined ? (
        <EmptyState title="Too much to add up while you wait">
          <p>Choose one workspace.</p>
        </EmptyState>
      ) : (
        <TrendsOf trends={trends} caller={caller} />
      )}
    </Page>
  );
}

function describeScope(caller: Caller, { scope, workspace, months, today }: Trends): VNode {
  const place =
    scope === "organization"
      ? caller.organizationName
      : (workspace?.name ?? `Your part of ${caller.organizationName}`);
  return (
    <span>
      {`${place}, ${formatDay(`${months[0]?.month ?? today.slice(0, 7)}-01`)} to ${formatDay(today)}`}
    </span>
  );
}

function TrendsOf({ trends, caller }: { trends: Trends; caller: Caller }): VNode {
  const { months, workspaces, categories, failing, down, costly } = trends;
  if (months.every(isQuiet) && categories.groups.length === 0) {
    return (
      <EmptyState title="Nothing to compare yet">
        <p>
          When tasks are completed and assets fail or are repaired, their months stand here side by
          side.
        </p>
      </EmptyState>
    );
  }
  return (
    <div class="trends">
      <MonthCharts months={months} currency={caller.currency} />
      <MonthTable months={months} />
      <WorstAssets failing={failing} down={down} costly={costly} />
      {workspaces !== undefined && (
        <GroupTable title="By workspace" of="workspace" stats={workspaces} />
      )}
      <GroupTable title="By category" of="category" stats={categories} />
    </div>
  );
}

function isQuiet({ planned_due, completed_tasks, failures, down_hours }: Month): boolean {
  return planned_due + completed_tasks + failures + down_hours === 0;
}
