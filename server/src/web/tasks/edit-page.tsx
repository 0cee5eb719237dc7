import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { personOptions, workspaceOptions } from "../forms/choices.js";
import { FormActions, PostForm, Select, type Option } from "../forms/controls.js";
import { readVersion } from "../forms/forms.js";
import { Page } from "../layout/layout.js";
import { ChangedMeanwhile, PageHead, ThereNow } from "../layout/page-parts.js";
import type { FormError } from "../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { changeTask, describeConsequences, type TaskOutcome } from "./change-task.js";
import { isOpen, readTaskToChange, toAddressOf, type OpenedTask } from "./read-task.js";
import { findDifferences } from "./task-differences.js";
import { PlanFields, RepeatFields, WorkFields } from "./task-form.js";
import {
  describeValue,
  readChangedTask,
  toValues,
  type ChangedTask,
  type TaskValues,
} from "./task-form-fields.js";
import { toFormCrumbs } from "./task-head.js";

interface TaskParams {
  Params: { id: string };
}

const path = "/tasks/:id/edit";

interface Shown {
  values: TaskValues;
  errors?: readonly FormError[];
  /** The one to send the form with, when it was made on an older one. */
  version?: number | undefined;
}

/** `/tasks/:id/edit`: what is to be done, when, by whom and how often. */
export const editTaskPages: FastifyPluginAsync = async (app) => {
  const member = { preHandler: app.requireMember };

  app.get<TaskParams>(path, member, async (request, reply) => {
    const opened = await readTaskToChange(app.db.manager, callerOf(request), request.params.id);
    return showForm(request, reply, opened, { values: toValues(opened) });
  });

  app.post<TaskParams>(path, member, async (request, reply) => {
    const caller = callerOf(request);
    const opened = await readTaskToChange(app.db.manager, caller, request.params.id);
    const { task } = opened;
    const { given, values, errors: wrong } = readChangedTask(request.body);
    const errors = [...wrong, ...checkStop(opened, given, wrong)];
    if (errors.length > 0) return showForm(request, reply, opened, { values, errors });
    const update = findDifferences(opened, given);
    const expected_version = readVersion(request.body);
    const outcome: TaskOutcome =
      update === undefined
        ? { change: undefined }
        : await changeTask(app.db, caller, task.id, { ...update, expected_version });
    if ("errors" in outcome) return showForm(request, reply, opened, { values, ...outcome });
    const more = outcome.change === undefined ? "" : describeConsequences(outcome.change);
    // A form sent twice leaves what the first one has to say.
    if (outcome.change !== undefined || request.session.message === undefined) {
      flash(request, `${task.task_number} is saved. ${more}`.trim());
    }
    return reply.redirect(toAddressOf(task), 303);
  });

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    opened: OpenedTask,
    { values, errors = [], version }: Shown,
  ): Promise<FastifyReply> {
    const [db, caller] = [app.db.manager, callerOf(request)];
    const [people, workspaces] = await Promise.all([
      personOptions(db, caller),
      workspaceOptions(db, caller, { least: "member" }),
    ]);
    const view: EditView = {
      frame: layoutProps(request, reply),
      ...{ opened, values, errors, workspaces, isStale: version !== undefined },
      people: withPresent(people, opened),
      version: version ?? readVersion(request.body) ?? opened.task.version,
    };
    return sendPage(reply.code(errors.length === 0 ? 200 : 400), <EditTaskPage {...view} />);
  }
};

/** An emptied interval alone could be an oversight. */
function checkStop(
  { task, state }: OpenedTask,
  { every, stop_repeating }: ChangedTask,
  wrong: readonly FormError[],
): FormError[] {
  const repeats = task.recurrence !== undefined && isOpen({ state });
  const isSaid = every !== undefined || stop_repeating === true;
  if (!repeats || isSaid || wrong.some(({ field }) => field === "every")) return [];
  const message = "Enter how often the task repeats, or tick “Stop repeating”.";
  return [{ field: "every", message }];
}

/** Whoever has the task stays a choice, also when they can no longer be given others. */
function withPresent(people: readonly Option[], { task }: OpenedTask): Option[] {
  const { assigned_to_user_id: id, assigned_to: name } = task;
  if (id === null || people.some(({ value }) => value === id)) return [...people];
  return [...people, { value: id, label: name ?? "Somebody who left" }];
}

interface EditView {
  frame: LayoutProps;
  opened: OpenedTask;
  values: TaskValues;
  errors: readonly FormError[];
  version: number;
  isStale: boolean;
  people: readonly Option[];
  workspaces: readonly Option[];
}

function EditTaskPage(view: EditView): VNode {
  const { frame, opened, values, errors, people, isStale } = view;
  const { task } = opened;
  const shared = { values, errors };
  return (
    <Page title={`Edit ${task.task_number}`} current="/tasks/" {...frame}>
      <PageHead title={`Edit ${task.task_number}`} crumbs={toFormCrumbs(opened)} />
      {isStale && (
        <ChangedMeanwhile what="task" href={toAddressOf(task)}>
          <Differences {...view} />
        </ChangedMeanwhile>
      )}
      <PostForm frame={frame} errors={errors} class="panel folding-form">
        <input type="hidden" name="expected_version" value={String(view.version)} />
        <WorkFields {...shared} />
        {task.asset_id === null && (
          <Select
            {...shared}
            name="workspace_id"
            label="Workspace"
            options={view.workspaces}
            required
          />
        )}
        <PlanFields {...shared} people={people} hasDowntime={task.asset_id !== null} />
        {isOpen(opened) && <RepeatFields {...shared} stops={task.recurrence !== undefined} />}
        <FormActions submit="Save changes" cancel={toAddressOf(task)} cancelWords="Go back" />
      </PostForm>
    </Page>
  );
}

/** Where what is there now is not what the form says. */
function Differences({ opened, values, people, workspaces }: EditView): VNode {
  const present = toValues(opened);
  const changed = Object.keys(present).filter(
    (field) => plain(present[field]) !== plain(values[field]),
  );
  const choices = [...people, ...workspaces];
  const words = changed.map((field) => {
    const value = present[field] ?? "";
    const choice = choices.find((one) => one.value === value && value !== "");
    return { field, words: choice?.label ?? describeValue(field, value) };
  });
  return <ThereNow values={words} />;
}

function plain(value = ""): string {
  return value.replaceAll("\r\n", "\n").trim();
}
