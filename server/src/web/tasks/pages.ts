import type { FastifyPluginAsync } from "fastify";
import { cancelTaskForm } from "./cancel-page.js";
import { changeTasksForm } from "./change-many.js";
import { completeTaskForm } from "./complete-page.js";
import { editTaskForm } from "./edit-page.js";
import { taskListPages } from "./list-page.js";
import { newTaskForm } from "./new-page.js";
import { taskActForm } from "./row-acts.js";
import { taskChecklistForm, taskStateForm } from "./state-forms.js";
import { taskPage } from "./task-page.js";
import { requireMember } from "../../plugins/members.js";

export const taskPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(taskListPages);
  await app.register(newTaskForm);
  await app.register(changeTasksForm);
  await app.register(taskPage);
  await app.register(editTaskForm);
  await app.register(completeTaskForm);
  await app.register(taskStateForm);
  await app.register(taskActForm);
  await app.register(taskChecklistForm);
  await app.register(cancelTaskForm);
};
