import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import { countTimedRepairs } from "../../domain/assets/asset-figures.js";
import type { CursorCodec } from "../../domain/shared/cursors.js";
import { listTasks, type TaskPage } from "../../domain/tasks/task-queries.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import { t, tRich } from "../../language/translate.js";
import { CommentsSection, readComments, type CommentsView } from "../comments/comments-section.js";
import { Person } from "../layout/avatar.js";
import { Moment } from "../layout/moment.js";
import { toAddress } from "../lists/pager.js";
import { AssetFigures } from "./asset-figures.js";
import type { AssetView } from "./asset-view.js";
import { OpenTasks } from "./open-tasks.js";

const shownCompleted = 5;

interface Work {
  view: AssetView;
  /** The number of repairs behind the mean time to repair. */
  repairs: number;
  completed: TaskPage;
  comments: CommentsView;
}

export async function readWork(db: Tx, view: AssetView, cursors: CursorCodec): Promise<Work> {
  const { caller, asset, may } = view;
  const listing = { asset_id: asset.id, state: "completed", sort: "-completed_at" } as const;
  const [repairs, completed, comments] = await Promise.all([
    countTimedRepairs(db, caller, asset.id),
    listTasks(db, caller, { ...listing, limit: shownCompleted }, cursors),
    readComments(db, caller, { asset_id: asset.id }, { place: asset, mayComment: may.change }),
  ]);
  return { view, repairs, completed, comments };
}

/** Open and completed tasks, with costs and reliability beside them. */
export function WorkTab({ view, repairs, completed, comments }: Work): VNode {
  return (
    <div class="asset-work">
      <div>
        <OpenTasks view={view} />
        <Completed view={view} page={completed} />
        <CommentsSection {...comments} />
      </div>
      <AssetFigures view={view} repairs={repairs} />
    </div>
  );
}

function Completed({ view: { asset }, page }: { view: AssetView; page: TaskPage }): VNode | null {
  const { tasks, total_count: total } = page;
  if (tasks.length === 0) return null;
  const query = new URLSearchParams({ q: asset.inventory_number, state: "completed" });
  return (
    <section aria-labelledby="completed">
      <h2 id="completed">{t("Completed tasks")}</h2>
      <ul class="things">
        {tasks.map((task) => (
          <CompletedTask key={task.id} task={task} />
        ))}
      </ul>
      {total > tasks.length && (
        <p class="no-print">
          <a href={toAddress("/tasks", query)}>{t("All completed tasks")}</a>
        </p>
      )}
    </section>
  );
}

function CompletedTask({ task }: { task: TaskRow }): VNode {
  const { id, title, task_number: number, completed_at: at, assigned_to: who } = task;
  return (
    <li>
      <a class="thing" href={`/tasks/${id}`} dir="auto">
        {title}
      </a>
      <span class="open-task">
        {at !== null && (
          <span class="soft">
            {tRich("Completed {when}", { when: <Moment at={new Date(at)} inline /> })}
          </span>
        )}
        {who !== null && <Person name={who} />}
        <span class="soft">{number}</span>
      </span>
    </li>
  );
}
