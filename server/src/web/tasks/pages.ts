import type { FastifyPluginAsync } from "fastify";
import { cancelTaskPages } from "./cancel-page.js";
import { completeTaskPages } from "./complete-page.js";
import { editTaskPages } from "./edit-page.js";
import { taskListPages } from "./list-page.js";
import { newTaskPages } from "./new-page.js";
import { taskStatePages } from "./state-pages.js";
import { taskPage } from "./task-page.js";

/** Maintenance tasks: list, task, and the forms that create and change them. */
export const taskPages: FastifyPluginAsync = async (app) => {
  await app.register(taskListPages);
  await app.register(newTaskPages);
  await app.register(taskPage);
  await app.register(editTaskPages);
  await app.register(completeTaskPages);
  await app.register(taskStatePages);
  await app.register(cancelTaskPages);
};
