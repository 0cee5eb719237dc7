import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { TaskUpdate } from "../../domain/task-changes/task-update-rules.js";
import { FormActions, PostForm, TextArea, Checkbox } from "../forms/controls.js";
import { readForm, textField, checkboxField } from "../forms/form-fields.js";
import { readVersion } from "../forms/forms.js";
import { Page } from "../layout/layout.js";
import { ChangedMeanwhile, PageHead } from "../layout/page-parts.js";
import type { FormError } from "../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { formatDay } from "../text/format.js";
import { changeTask, describeConsequences, toNextLink } from "./change-task.js";
import { readTaskToChange, toAddressOf, type OpenedTask } from "./read-task.js";
import type { TaskValues } from "./task-form-fields.js";
import { toFormCrumbs } from "./task-head.js";

interface TaskParams {
  Params: { id: string };
}

const path = "/tasks/:id/cancel";

const cancelFields = {
  note: textField("Reason"),
  stop_repeating: checkboxField("Stop repeating"),
};

/** `/tasks/:id/cancel`: a task that will not be done, with why. */
export const cancelTaskPages: FastifyPluginAsync = async (app) => {
  const member = { preHandler: app.requireMember };

  app.get<TaskParams>(path, member, async (request, reply) => {
    const opened = await readTaskToChange(app.db.manager, callerOf(request), request.params.id);
    // There is nothing left to ask.
    if (opened.state === "cancelled") return reply.redirect(toAddressOf(opened.task), 303);
    return showForm(request, reply, opened, { values: {} });
  });

  app.post<TaskParams>(path, member, async (request, reply) => {
    const caller = callerOf(request);
    const opened = await readTaskToChange(app.db.manager, caller, request.params.id);
    const { task } = opened;
    const { values, given, errors } = readForm(request.body, cancelFields);
    // Sent twice: the first one has done it.
    if (opened.state === "cancelled") return reply.redirect(toAddressOf(task), 303);
    if (errors.length > 0) return showForm(request, reply, opened, { values, errors });
    const { stop_repeating: stops, ...rest } = given;
    const update: TaskUpdate = {
      ...rest,
      state: "cancelled",
      expected_version: readVersion(request.body),
      ...(stops === true && task.recurrence !== undefined && { clear_fields: ["recurrence"] }),
    };
    const outcome = await changeTask(app.db, caller, task.id, update);
    if ("errors" in outcome) return showForm(request, reply, opened, { values, ...outcome });
    const { change } = outcome;
    if (change !== undefined) {
      const more = describeConsequences(change);
      flash(request, `${task.task_number} is cancelled. ${more}`.trim(), toNextLink(change));
    }
    return reply.redirect(toAddressOf(task), 303);
  });

  function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    opened: OpenedTask,
    { values, errors = [], version }: Shown,
  ): FastifyReply {
    const view: CancelView = {
      frame: layoutProps(request, reply),
      ...{ opened, values, errors, isStale: version !== undefined },
      version: version ?? readVersion(request.body) ?? opened.task.version,
    };
    return sendPage(reply.code(errors.length === 0 ? 200 : 400), <CancelPage {...view} />);
  }
};

interface Shown {
  values: TaskValues;
  errors?: readonly FormError[];
  version?: number | undefined;
}

interface CancelView {
  frame: LayoutProps;
  opened: OpenedTask;
  values: TaskValues;
  errors: readonly FormError[];
  version: number;
  isStale: boolean;
}

function CancelPage({ frame, opened, values, errors, version, isStale }: CancelView): VNode {
  const { task } = opened;
  const shared = { values, errors };
  return (
    <Page title={`Cancel ${task.task_number}`} current="/tasks/" {...frame}>
      <PageHead
        title={`Cancel ${task.task_number}?`}
        crumbs={toFormCrumbs(opened)}
        facts={<strong>{task.title}</strong>}
      />
      {isStale && <ChangedMeanwhile what="task" href={toAddressOf(task)} />}
      <p>
        It counts as not done and leaves the open tasks. It stays in the history, and can be
        reopened on its page.
      </p>
      {task.recurrence !== undefined && <SkipNote opened={opened} />}
      <PostForm frame={frame} errors={errors} class="panel">
        <input type="hidden" name="expected_version" value={String(version)} />
        <TextArea
          {...shared}
          name="note"
          label="Reason"
          help="Kept in the history, for whoever asks later."
          rows={3}
        />
        {task.recurrence !== undefined && (
          <Checkbox
            name="stop_repeating"
            label="Stop repeating as well"
            help="No next task is created."
            checked={values["stop_repeating"] === "yes"}
          />
        )}
        <FormActions submit="Cancel task" cancel={toAddressOf(task)} cancelWords="Keep task" />
      </PostForm>
    </Page>
  );
}

function SkipNote({ opened: { task } }: { opened: OpenedTask }): VNode {
  const isFixed = task.recurrence?.anchor === "due_date";
  const due = isFixed && task.next_due_date ? `, due on ${formatDay(task.next_due_date)}` : "";
  return (
    <p>{`It repeats: cancelling skips this occurrence, and the next one is created${due}.`}</p>
  );
}
