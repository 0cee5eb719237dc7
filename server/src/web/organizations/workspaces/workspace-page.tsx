import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { todayOf } from "../../../domain/access/clock.js";
import { findRightsIn } from "../../../domain/access/roles.js";
import { listAssets } from "../../../domain/assets/asset-queries.js";
import { unlessTooSlow } from "../../../db/query-errors.js";
import { getKeyFigures } from "../../../domain/insight/organization-stats.js";
import { listTasks } from "../../../domain/tasks/task-queries.js";
import { findWorkspacePeople } from "../../../domain/organizations/workspace-people.js";
import { getWorkspaceSettings } from "../../../domain/organizations/workspace-settings.js";
import { t } from "../../../language/translate.js";
import { Page } from "../../layout/layout.js";
import { ActionLink, PageHead } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import {
  placeLabelsAddress,
  workspaceFormsAddress,
  workspacesAddress,
  workspacesCrumb,
} from "./addresses.js";
import {
  AssetsPanel,
  FiguresPanel,
  PeoplePanel,
  TasksPanel,
  type WorkspaceView,
} from "./workspace-panels.js";

const shownTasks = 10;
const shownAssets = 8;

/** `/workspaces/:id`: the assets, open work, people and costs of one workspace. */
export const workspacePage: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { id: string } }>(`${workspacesAddress}/:id`, async (request, reply) =>
    sendPage(reply, <WorkspacePage {...await readWorkspace(request, request.params.id)} />),
  );
};

/** Throws if the caller can't see the workspace. */
async function readWorkspace(request: FastifyRequest, id: string): Promise<WorkspaceView> {
  const caller = callerOf(request);
  const db = request.db;
  const { cursors } = request.server.services;
  const workspace = await getWorkspaceSettings(db, caller, id);
  const inIt = { workspace_id: workspace.id };
  const [may, figures, tasks, down, people] = await Promise.all([
    findRightsIn(db, caller, workspace),
    unlessTooSlow(getKeyFigures(db, caller, { workspaceId: workspace.id })),
    listTasks(db, caller, { ...inIt, state: "open", sort: "urgency", limit: shownTasks }, cursors),
    listAssets(
      db,
      caller,
      {
        ...inIt,
        state: ["out_of_service", "in_maintenance"],
        sort: "-updated_at",
        limit: shownAssets,
      },
      cursors,
    ),
    findWorkspacePeople(db, caller, workspace.id),
  ]);
  return { workspace, may, figures, tasks, down, people, today: todayOf(caller) };
}

function WorkspacePage(view: WorkspaceView): VNode {
  const { workspace, may } = view;
  const { id, name, description, address } = workspace;
  return (
    <Page title={name} width="wide" current={`${workspacesAddress}/`}>
      <PageHead
        title={name}
        crumbs={[workspacesCrumb]}
        facts={
          address !== null && (
            <span class="postal" dir="auto">
              {address}
            </span>
          )
        }
        actions={
          <>
            <ActionLink href={placeLabelsAddress(id)} quiet>
              {t("Place labels")}
            </ActionLink>
            {may.member && (
              <>
                {may.admin && (
                  <ActionLink
                    href={`${workspaceFormsAddress}/${id}`}
                    quiet
                    label={t("Edit {name}", { name })}
                  >
                    {t("Edit")}
                  </ActionLink>
                )}
                <ActionLink href={`/assets/new?workspace=${id}`} quiet>
                  {t("Add an asset")}
                </ActionLink>
                <ActionLink href={`/tasks/new?workspace=${id}`}>{t("Add a task")}</ActionLink>
              </>
            )}
          </>
        }
      />
      {description !== null && (
        <p class="workspace-description" dir="auto">
          {description}
        </p>
      )}
      <div class="home">
        <div class="home-main">
          <TasksPanel {...view} />
          <AssetsPanel {...view} />
        </div>
        <div class="home-side">
          <FiguresPanel {...view} />
          <PeoplePanel {...view} />
        </div>
      </div>
    </Page>
  );
}
