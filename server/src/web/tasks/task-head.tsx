import type { VNode } from "preact";
import type { TaskState } from "../../db/entities/tasks.js";
import { t, tRich } from "../../language/translate.js";
import { DaysLate, PriorityTag, TaskBadge } from "../layout/badges.js";
import { PostForm } from "../forms/controls.js";
import { Day } from "../layout/moment.js";
import { MoreActions } from "../layout/more-actions.js";
import { ActionLink, PageHead, type Crumb } from "../layout/page-head.js";
import { nameOf } from "./describe-task.js";
import { isOpen, toAddressOf, type OpenedTask } from "./read-task.js";

export function TaskHead({ opened, today }: { opened: OpenedTask; today: string }): VNode {
  const { task, may } = opened;
  const { due_date: due } = task;
  return (
    <PageHead
      title={task.title}
      crumbs={toCrumbs(opened)}
      facts={
        <>
          <span class="numbers">{task.task_number}</span>
          <TaskBadge state={task.progress ?? task.state} />
          {isOpen(opened) &&
            due !== null &&
            (task.state === "overdue" ? (
              <DaysLate due={due} today={today} />
            ) : (
              <span>{tRich("Due {when}", { when: <Day day={due} today={today} /> })}</span>
            ))}
          <PriorityTag priority={task.priority} />
        </>
      }
      {...(may.change && { actions: <Actions opened={opened} /> })}
    />
  );
}

/** Tasks first, as the navigation marks them. Then the asset or the place. */
function toCrumbs({ task }: OpenedTask): Crumb[] {
  const { asset_id: asset, asset_name: name, workspace_id: workspace } = task;
  const tasks = { href: "/tasks", label: t("Tasks") };
  if (asset !== null) {
    return [tasks, { href: `/assets/${asset}`, label: name ?? t("Asset") }];
  }
  if (workspace === null) return [tasks];
  const label = task.workspace_name ?? t("Workspace");
  return [tasks, { href: `/tasks?workspace_id=${workspace}`, label }];
}

export function toFormCrumbs(opened: OpenedTask): Crumb[] {
  const { task } = opened;
  return [...toCrumbs(opened), { href: toAddressOf(task), label: nameOf(task) }];
}

interface ActionsProps {
  opened: OpenedTask;
}

/** The most common next action for the task's state comes first. */
function Actions({ opened }: ActionsProps): VNode {
  const { task, state } = opened;
  const address = toAddressOf(task);
  const edit = (
    <ActionLink href={`${address}/edit`} quiet>
      {t("Edit")}
    </ActionLink>
  );
  if (state === "completed" || state === "cancelled") {
    const to = state === "completed" ? "in_progress" : "scheduled";
    return (
      <>
        <StateButton opened={opened} to={to} label={t("Reopen")} quiet />
        {state === "completed" && (
          <ActionLink href={`${address}/complete`} quiet>
            {t("Edit record")}
          </ActionLink>
        )}
        {edit}
      </>
    );
  }
  const isRunning = state === "in_progress";
  return (
    <>
      {!isRunning && (
        <StateButton
          opened={opened}
          to="in_progress"
          label={state === "on_hold" ? t("Continue work") : t("Start work")}
        />
      )}
      <ActionLink href={`${address}/complete`} quiet={!isRunning}>
        {t("Complete")}
      </ActionLink>
      {edit}
      <MoreActions>
        {state !== "on_hold" && (
          <ActionLink href={`${address}/hold`} quiet>
            {t("Put on hold")}
          </ActionLink>
        )}
        {state !== "scheduled" && (
          <StateButton opened={opened} to="scheduled" label={t("Set to scheduled")} quiet />
        )}
        <a href={`${address}/share`}>{t("Share with a contractor")}</a>
        <a href={`${address}/steps`}>{t("Edit steps")}</a>
        <a href={`${address}/cancel`}>{t("Cancel task")}</a>
      </MoreActions>
    </>
  );
}

function StateButton({
  opened: { task },
  to,
  label,
  quiet = false,
}: ActionsProps & { to: TaskState; label: string; quiet?: boolean }): VNode {
  return (
    <PostForm action={`${toAddressOf(task)}/state`} version={task.version} isKeyed>
      <input type="hidden" name="state" value={to} />
      <button type="submit" class={quiet ? "quiet" : undefined}>
        {label}
      </button>
    </PostForm>
  );
}
