import type { FastifyPluginAsync } from "fastify";
import type { TaskState } from "../../db/entities/maintenance-task.js";
import { choiceField, readForm, required } from "../forms/form-fields.js";
import { readVersion } from "../forms/forms.js";
import { callerOf, flash } from "../layout/reply.js";
import { changeTask, describeConsequences } from "./change-task.js";
import { readTicked } from "./complete-fields.js";
import { readTask, toAddressOf, type OpenedTask } from "./read-task.js";
import { showTask } from "./task-page.js";

interface TaskParams {
  Params: { id: string };
}

/** What the buttons of a task's page ask for; to complete and to cancel have forms of their own. */
const buttonStates = ["scheduled", "in_progress", "on_hold"] as const;

const stateFields = {
  state: required(choiceField("State", buttonStates), "Choose a state."),
};

/** What the page of a task changes itself: its state, and the ticks of its checklist. */
export const taskStatePages: FastifyPluginAsync = async (app) => {
  const member = { preHandler: app.requireMember };

  app.post<TaskParams>("/tasks/:id/state", member, async (request, reply) => {
    const caller = callerOf(request);
    const opened = await readTask(app.db.manager, caller, request.params.id);
    const { task } = opened;
    const { given, errors } = readForm(request.body, stateFields);
    if (errors.length > 0) return showTask(request, reply, task.id, errors);
    const outcome = await changeTask(app.db, caller, task.id, {
      ...given,
      expected_version: readVersion(request.body),
    });
    if ("errors" in outcome) return showTask(request, reply, task.id, outcome.errors);
    const { change } = outcome;
    if (change !== undefined && change.changed.length > 0) {
      const what = describeState(opened, given.state);
      flash(request, `${what} ${describeConsequences(change)}`.trim());
    }
    return reply.redirect(toAddressOf(task), 303);
  });

  app.post<TaskParams>("/tasks/:id/checklist", member, async (request, reply) => {
    const caller = callerOf(request);
    const { task } = await readTask(app.db.manager, caller, request.params.id);
    const ticked = readTicked(request.body);
    const update = { checklist_done: ticked, expected_version: readVersion(request.body) };
    const outcome = await changeTask(app.db, caller, task.id, update);
    if ("errors" in outcome) return showTask(request, reply, task.id, outcome.errors);
    const left = task.checklist.length - new Set(ticked).size;
    const rest = left === 0 ? "Every step is done." : `${left} of ${task.checklist.length} left.`;
    flash(request, `The checklist is saved. ${rest}`);
    return reply.redirect(toAddressOf(task), 303);
  });
};

function describeState({ task, state: before }: OpenedTask, state: TaskState | undefined): string {
  const number = task.task_number;
  const isReopened = before === "completed" || before === "cancelled";
  if (isReopened) return `${number} is open again.`;
  if (state === "on_hold") return `${number} is on hold.`;
  return state === "scheduled" ? `${number} is scheduled again.` : `Work on ${number} has begun.`;
}
