import type { VNode } from "preact";
import { toAddressOf, type Task } from "./read-task.js";

/** The way to the task as it is now, from a form that was made on an older version. */
export function StaleNotice({ task }: { task: Task }): VNode {
  return (
    <p class="stale">
      <a href={toAddressOf(task)} target="_blank" rel="noopener">
        Look at {task.task_number} as it is now
      </a>{" "}
      <span class="soft">(opens in a new tab)</span>
    </p>
  );
}
