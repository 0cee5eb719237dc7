import type { ComponentChildren, VNode } from "preact";
import type { AssetState, Criticality } from "../../db/entities/assets.js";
import type { TaskPriority, TaskState } from "../../db/entities/tasks.js";
import { daysBetween } from "../../domain/shared/dates.js";
import { t } from "../../language/translate.js";
import { describeLate } from "../text/format.js";
import { assetStateLabels, criticalityLabels, taskStateLabels } from "../text/value-labels.js";

/** Marks a need for action: something is out of service, late or too much. */
export const triangle = "M8 2.5 14.5 13.5H1.5Z";

const outline = { fill: "none", stroke: "currentColor", "stroke-width": "2.4" } as const;
const line = { ...outline, "stroke-linecap": "round", "stroke-linejoin": "round" } as const;

/** One shape per state, so the state is readable without color. */
const assetShapes: Record<AssetState, VNode> = {
  available: <circle cx="8" cy="8" r="5" />,
  in_use: <rect x="3" y="3" width="10" height="10" rx="1" />,
  in_maintenance: <path d="M8 2 14 8 8 14 2 8Z" />,
  out_of_service: <path d={triangle} />,
  stored: <circle cx="8" cy="8" r="4.6" {...outline} />,
  deleted: <path d="M4 4l8 8M12 4l-8 8" {...line} />,
};

const taskShapes: Record<TaskState | "overdue", VNode> = {
  scheduled: <circle cx="8" cy="8" r="4.6" {...outline} />,
  in_progress: (
    <>
      <circle cx="8" cy="8" r="4.8" {...outline} />
      <path d="M8 3.2a4.8 4.8 0 0 1 0 9.6Z" />
    </>
  ),
  on_hold: <path d="M4 3h3v10H4zM9 3h3v10H9z" />,
  overdue: <path d={triangle} />,
  completed: <path d="M3.5 8.5 7 12l6-8" {...line} />,
  cancelled: <path d="M4 4l8 8M12 4l-8 8" {...line} />,
};

export const assetTones: Record<AssetState, BadgeProps["tone"]> = {
  available: "good",
  in_use: "busy",
  in_maintenance: "wait",
  out_of_service: "bad",
  stored: "calm",
  deleted: "calm",
};

const taskTones: Record<TaskState | "overdue", BadgeProps["tone"]> = {
  scheduled: "calm",
  in_progress: "busy",
  on_hold: "wait",
  overdue: "bad",
  completed: "good",
  cancelled: "calm",
};

export function AssetBadge({ state }: { state: AssetState }): VNode {
  return (
    <Badge tone={assetTones[state]} shape={assetShapes[state]} word={assetStateLabels[state]} />
  );
}

export function TaskBadge({ state }: { state: TaskState | "overdue" }): VNode {
  return <Badge tone={taskTones[state]} shape={taskShapes[state]} word={taskStateLabels[state]} />;
}

/** Bars for a high priority, a shield for a high criticality. */
const ranks = {
  high: <path d="M1.5 10h3v4h-3zM6.5 6h3v8h-3zM11.5 2h3v12h-3z" />,
  urgent: (
    <path
      fill-rule="evenodd"
      d="M3 1h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2zM7 4v5h2V4zM7 10.5v2h2v-2z"
    />
  ),
  highCriticality: <path d="M8 2l5 2v4c0 3-2 5-5 6.2C5 13 3 11 3 8V4z" {...line} />,
  critical: <path d="M8 1l6 2.4V8c0 3.6-2.4 5.9-6 7.2C4.4 13.9 2 11.6 2 8V3.4z" />,
};

/** True if a list marks the priority or criticality. */
export function isMarked(rank: TaskPriority | Criticality | null | undefined): boolean {
  return rank === "high" || rank === "critical" || rank === "urgent";
}

/** Marks an asset of high criticality. Empty for others. */
export function CriticalityTag({ criticality }: { criticality: Criticality | null }) {
  if (criticality === "critical") {
    return <Rank tone="bad" shape={ranks.critical} word={criticalityLabels.critical} />;
  }
  if (criticality !== "high") return null;
  return <Rank tone="wait" shape={ranks.highCriticality} word={t("High criticality")} />;
}

/** Marks urgent and high-priority tasks. Empty for others. */
export function PriorityTag({ priority }: { priority: TaskPriority }): VNode | null {
  if (priority === "urgent") {
    return <Rank tone="bad" shape={ranks.urgent} word={t("Urgent priority")} />;
  }
  if (priority !== "high") return null;
  return <Rank tone="wait" shape={ranks.high} word={t("High priority")} />;
}

function Rank(mark: BadgeProps): VNode {
  return <Badge {...mark} kind="rank-mark" />;
}

export function DaysLate({ due, today }: { due: string; today: string }): VNode {
  return <AlertBadge>{describeLate(daysBetween(due, today))}</AlertBadge>;
}

/** Marks a need for action at once. */
export function AlertBadge({ children }: { children: ComponentChildren }): VNode {
  return <Badge tone="bad" shape={taskShapes.overdue} word={children} />;
}

interface BadgeProps {
  tone: "good" | "busy" | "wait" | "bad" | "calm";
  shape: VNode;
  word: ComponentChildren;
}

function Badge({ tone, shape, word, kind = "" }: BadgeProps & { kind?: string }): VNode {
  return (
    <span class={`badge ${tone} ${kind}`.trim()}>
      <svg viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
        {shape}
      </svg>
      <span>{word}</span>
    </span>
  );
}
