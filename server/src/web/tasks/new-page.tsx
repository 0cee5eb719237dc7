import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { createOnce } from "../../domain/changes/idempotency.js";
import { requireOrganizationAdmin, requireRoleIn } from "../../domain/access/roles.js";
import {
  createTask,
  type CreatedTask,
  type NewTask,
} from "../../domain/task-changes/create-task.js";
import { commit } from "../../domain/sql/transactions.js";
import { personOptions, workspaceOptions } from "../forms/choices.js";
import { FormActions, PostForm, TextArea, type Option } from "../forms/controls.js";
import { toPageWords } from "../text/field-labels.js";
import { FoldedFields } from "../forms/folded-fields.js";
import { createFormKey, readFields, readFormKey } from "../forms/forms.js";
import { Page } from "../layout/layout.js";
import { PageHead, type Crumb } from "../layout/page-parts.js";
import type { FormError } from "../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { choicesOf, taskTypeLabels } from "../text/value-labels.js";
import { formatDay } from "../text/format.js";
import { toTaskErrors } from "./change-task.js";
import { readSite, SiteFields, type Site } from "./new-site.js";
import { PlanFields, RepeatFields, WorkFields } from "./task-form.js";
import { emptyTask, readNewTask, toRecurrence, type TaskValues } from "./task-form-fields.js";

const path = "/tasks/new";

/** `/tasks/new`: a task of an asset (`?asset=`), or of a place as a whole (`?workspace=`), of a `?type=`. */
export const newTaskPages: FastifyPluginAsync = async (app) => {
  const member = { preHandler: app.requireMember };

  app.get(path, member, (request, reply) =>
    showForm(request, reply, { values: readStart(request.query) }),
  );

  app.post(path, member, async (request, reply) => {
    const caller = callerOf(request);
    const site = await readSite(app.db.manager, caller, request.query);
    const { given, values, errors: wrong } = readNewTask(request.body);
    const errors = [...wrong, ...checkSite(site, given, wrong)];
    if (errors.length > 0) return showForm(request, reply, { values, errors });
    const { title = "", asset_id, workspace_id, ...rest } = given;
    const { every, unit, anchor, ends_on, ...fields } = rest;
    const task: NewTask = {
      title,
      ...fields,
      asset_id: site.asset?.id ?? asset_id,
      workspace_id: site.workspace?.id ?? workspace_id,
      recurrence: toRecurrence({ every, unit, anchor, ends_on }),
    };
    const requestKey = readFormKey(request.body);
    const intended = { tool: "web:create_task", requestKey, arguments: task };
    try {
      const created = await commit(app.db, (tx) =>
        createOnce(tx, caller, intended, () => createTask(tx, caller, task)),
      );
      flash(request, describeCreated(created));
      return await reply.redirect(`/tasks/${created.task.id}`, 303);
    } catch (error) {
      return showForm(request, reply, { values, errors: toTaskErrors(error) });
    }
  });

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { values, errors = [] }: { values: TaskValues; errors?: FormError[] },
  ): Promise<FastifyReply> {
    const [db, caller] = [app.db.manager, callerOf(request)];
    const [site, workspaces, people] = await Promise.all([
      readSite(db, caller, request.query),
      workspaceOptions(db, caller, { least: "member" }),
      personOptions(db, caller),
    ]);
    const { place } = site;
    if (place !== undefined) await requireRoleIn(db, caller, place, "member", "add tasks");
    else if (workspaces.length === 0) await requireOrganizationAdmin(db, caller, "add tasks");
    const isProblem = site.asset !== undefined && readStart(request.query).type === "corrective";
    const choices = { site, workspaces, people };
    const view = { frame: layoutProps(request, reply), ...choices, values, errors, isProblem };
    return sendPage(reply.code(errors.length === 0 ? 200 : 400), <NewTaskPage {...view} />);
  }
};

/** What the form begins with: a problem that is reported says of which type the work is. */
function readStart(query: unknown): TaskValues {
  const { type } = readFields(query, ["type"]);
  return choicesOf(taskTypeLabels).some((one) => one === type) ? { ...emptyTask, type } : emptyTask;
}

/** Where nothing says what the work is on, the form asks for one of the two. */
function checkSite(
  { place }: Site,
  given: { asset_id?: string; workspace_id?: string },
  wrong: readonly FormError[],
): FormError[] {
  const isOne = (given.asset_id === undefined) !== (given.workspace_id === undefined);
  const isRefused = wrong.some(({ field }) => field === "asset_id" || field === "workspace_id");
  if (place !== undefined || isOne || isRefused) return [];
  const message = "Enter the number of an asset, or choose a workspace; one of the two.";
  return [{ field: "asset_id", message }];
}

function describeCreated({ task, next_due_date: next, warnings }: CreatedTask): string {
  const follows = next === null ? [] : [`The one after it will be due on ${formatDay(next)}.`];
  return [`${task.task_number} is added.`, ...follows, ...warnings.map(toPageWords)].join(" ");
}

interface NewTaskView {
  frame: LayoutProps;
  site: Site;
  workspaces: readonly Option[];
  people: readonly Option[];
  values: TaskValues;
  errors: readonly FormError[];
  /** Whether somebody reports what is wrong with an asset. */
  isProblem: boolean;
}

const whichType = "Left so: corrective if the asset is out of service, otherwise preventive.";

function NewTaskPage(view: NewTaskView): VNode {
  const { frame, site, workspaces, people, values, errors, isProblem } = view;
  const shared = { values, errors };
  const title = isProblem ? "Report a problem" : "Add a task";
  return (
    <Page title={title} current="/tasks/" {...frame}>
      <PageHead title={title} crumbs={toCrumbs(site)} />
      <PostForm frame={frame} errors={errors} class="panel folding-form">
        <input type="hidden" name="request_key" value={createFormKey()} />
        <SiteFields {...shared} site={site} workspaces={workspaces} />
        <WorkFields
          {...shared}
          isProblem={isProblem}
          {...(!isProblem && { emptyType: whichType })}
        />
        <PlanFields
          {...shared}
          people={people}
          hasDowntime={site.workspace === undefined}
          open={!isProblem}
        />
        <FoldedFields {...shared} title="Checklist" names={["checklist"]}>
          <TextArea
            {...shared}
            name="checklist"
            label="Checklist"
            help="One step a line; they are ticked one by one."
            rows={4}
          />
        </FoldedFields>
        <RepeatFields {...shared} />
        <FormActions submit={isProblem ? "Report problem" : "Add task"} cancel={toWayOut(site)} />
      </PostForm>
    </Page>
  );
}

/** Work on an asset is found at the asset. */
function toCrumbs({ asset }: Site): Crumb[] {
  if (asset === undefined) return [{ href: "/tasks", label: "Tasks" }];
  return [
    { href: "/assets", label: "Assets" },
    { href: `/assets/${asset.id}`, label: asset.name },
  ];
}

function toWayOut({ asset }: Site): string {
  return asset === undefined ? "/tasks" : `/assets/${asset.id}`;
}
