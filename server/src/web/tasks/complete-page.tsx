import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { FormActions, PostForm } from "../forms/controls.js";
import { readVersion } from "../forms/forms.js";
import { Page } from "../layout/layout.js";
import { ChangedMeanwhile, Number, PageHead } from "../layout/page-parts.js";
import { Notice, type FormError } from "../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { formatDay } from "../text/format.js";
import { changeTask, describeConsequences, toNextLink } from "./change-task.js";
import { readCompletion, toCompletionValues } from "./complete-fields.js";
import { CostFields, RecordFields, TimeFields } from "./complete-form.js";
import { readTaskToChange, toAddressOf, type OpenedTask } from "./read-task.js";
import { Steps } from "./task-content.js";
import type { TaskValues } from "./task-form-fields.js";
import { toFormCrumbs } from "./task-head.js";

interface TaskParams {
  Params: { id: string };
}

const path = "/tasks/:id/complete";

interface Shown {
  values: TaskValues;
  ticked?: readonly number[];
  errors?: readonly FormError[];
  version?: number | undefined;
}

/** `/tasks/:id/complete`: the record of what was done, which also can be corrected later. */
export const completeTaskPages: FastifyPluginAsync = async (app) => {
  const member = { preHandler: app.requireMember };

  app.get<TaskParams>(path, member, async (request, reply) => {
    const caller = callerOf(request);
    const opened = await readTaskToChange(app.db.manager, caller, request.params.id);
    return showForm(request, reply, opened, { values: toCompletionValues(opened, caller) });
  });

  app.post<TaskParams>(path, member, async (request, reply) => {
    const caller = callerOf(request);
    const opened = await readTaskToChange(app.db.manager, caller, request.params.id);
    const { task, state: before } = opened;
    const { values, ticked, update, errors } = readCompletion(request.body, caller, opened);
    if (errors.length > 0) return showForm(request, reply, opened, { values, ticked, errors });
    const outcome = await changeTask(app.db, caller, task.id, {
      ...update,
      expected_version: readVersion(request.body),
    });
    if ("errors" in outcome)
      return showForm(request, reply, opened, { values, ticked, ...outcome });
    const { change } = outcome;
    if (change !== undefined && before === "completed") {
      flash(request, `The record of ${task.task_number} is saved.`);
    } else if (change !== undefined) {
      const more = describeConsequences(change);
      flash(request, `${task.task_number} is completed. ${more}`.trim(), toNextLink(change));
    }
    return reply.redirect(toAddressOf(task), 303);
  });

  function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    opened: OpenedTask,
    { values, ticked, errors = [], version }: Shown,
  ): FastifyReply {
    const { currency, timeZone } = callerOf(request);
    const view: CompleteView = {
      frame: layoutProps(request, reply),
      ...{ opened, values, ticked, errors, timeZone, isStale: version !== undefined },
      version: version ?? readVersion(request.body) ?? opened.task.version,
      currency: opened.task.currency ?? currency,
    };
    return sendPage(reply.code(errors.length === 0 ? 200 : 400), <CompletePage {...view} />);
  }
};

interface CompleteView {
  frame: LayoutProps;
  opened: OpenedTask;
  values: TaskValues;
  /** When the steps differ from what is stored. */
  ticked: readonly number[] | undefined;
  errors: readonly FormError[];
  version: number;
  isStale: boolean;
  currency: string;
  timeZone: string;
}

function CompletePage(view: CompleteView): VNode {
  const { frame, opened, values, ticked, errors, isStale } = view;
  const { task, state } = opened;
  const shared = { values, errors };
  const isDone = state === "completed";
  const title = isDone
    ? `Correct the record of ${task.task_number}`
    : `Complete ${task.task_number}`;
  return (
    <Page title={title} current="/tasks/" {...frame}>
      <PageHead title={title} crumbs={toFormCrumbs(opened)} facts={<About opened={opened} />} />
      {!isDone && <WhatFollows opened={opened} />}
      {isStale && <ChangedMeanwhile what="task" href={toAddressOf(task)} />}
      <PostForm frame={frame} errors={errors} class="panel">
        <input type="hidden" name="expected_version" value={String(view.version)} />
        {task.checklist.length > 0 && (
          <fieldset>
            <legend>Checklist</legend>
            <Steps steps={task.checklist} ticked={ticked} />
          </fieldset>
        )}
        <RecordFields {...shared} task={task} />
        <TimeFields {...shared} task={task} timeZone={view.timeZone} isDone={isDone} />
        <CostFields {...shared} currency={view.currency} />
        <FormActions
          submit={isDone ? "Save the record" : "Complete task"}
          cancel={toAddressOf(task)}
          cancelWords="Go back"
        />
      </PostForm>
    </Page>
  );
}

function About({ opened: { task, asset } }: Pick<CompleteView, "opened">): VNode {
  return (
    <>
      <strong>{task.title}</strong>
      {asset !== null && (
        <span>
          {asset.name} <Number>{asset.inventory_number}</Number>
        </span>
      )}
    </>
  );
}

/** Said before, because it happens by itself. */
function WhatFollows({ opened: { task } }: Pick<CompleteView, "opened">): VNode | null {
  if (task.recurrence === undefined) return null;
  const due = task.next_due_date;
  return (
    <Notice>
      <p>
        This task repeats: completing it creates the next one
        {due != null && task.recurrence.anchor === "due_date" && `, due on ${formatDay(due)}`}.
      </p>
    </Notice>
  );
}
