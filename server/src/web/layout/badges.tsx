import type { VNode } from "preact";
import type { AssetState, Criticality } from "../../db/entities/assets.js";
import type { TaskPriority, TaskState } from "../../db/entities/tasks.js";
import { t, translated } from "../../language/translate.js";
import { assetStateLabels, criticalityLabels, taskStateLabels } from "../text/value-labels.js";

const outline = { fill: "none", stroke: "currentColor", "stroke-width": "2.4" } as const;
const line = { ...outline, "stroke-linecap": "round", "stroke-linejoin": "round" } as const;

/** One shape per state, so the state is readable without color. */
const assetShapes: Record<AssetState, VNode> = {
  available: <circle cx="8" cy="8" r="5" />,
  in_use: <rect x="3" y="3" width="10" height="10" rx="1" />,
  in_maintenance: <path d="M8 2 14 8 8 14 2 8Z" />,
  out_of_service: <path d="M8 2.5 14.5 13.5H1.5Z" />,
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
  overdue: <path d="M8 2.5 14.5 13.5H1.5Z" />,
  completed: <path d="M3.5 8.5 7 12l6-8" {...line} />,
  cancelled: <path d="M4 4l8 8M12 4l-8 8" {...line} />,
};

const tones: Record<AssetState | TaskState | "overdue", string> = {
  available: "good",
  in_use: "busy",
  in_maintenance: "wait",
  out_of_service: "bad",
  stored: "calm",
  deleted: "calm",
  scheduled: "calm",
  in_progress: "busy",
  on_hold: "wait",
  overdue: "bad",
  completed: "good",
  cancelled: "calm",
};

const overdue = translated({
  in_progress: "Overdue, in progress",
  on_hold: "Overdue, on hold",
});

export function AssetBadge({ state }: { state: AssetState }): VNode {
  return <Badge tone={tones[state]} shape={assetShapes[state]} word={assetStateLabels[state]} />;
}

/** The displayed state of a task. An overdue task in progress shows both. */
export function TaskBadge({
  state,
  progress,
}: {
  state: TaskState | "overdue";
  progress?: string | null;
}): VNode {
  const begun = progress === "in_progress" || progress === "on_hold" ? progress : undefined;
  const word = state === "overdue" && begun !== undefined ? overdue[begun] : taskStateLabels[state];
  return <Badge tone={tones[state]} shape={taskShapes[state]} word={word} />;
}

/** Marks an asset of high criticality. Empty for others. */
export function CriticalityTag({ criticality }: { criticality: Criticality | null }) {
  if (criticality === "critical") return <span class="tag bad">{criticalityLabels.critical}</span>;
  return criticality === "high" ? <span class="tag">{t("High criticality")}</span> : null;
}

/** Marks urgent and high-priority tasks. Empty for others. */
export function PriorityTag({ priority }: { priority: TaskPriority }): VNode | null {
  if (priority !== "urgent" && priority !== "high") return null;
  const text = priority === "urgent" ? t("Urgent priority") : t("High priority");
  return <span class="tag task-priority">{text}</span>;
}

function Badge({ tone, shape, word }: { tone: string; shape: VNode; word: string }): VNode {
  return (
    <span class={`badge ${tone}`}>
      <svg viewBox="0 0 16 16" width="12" height="12" fill="currentColor" aria-hidden="true">
        {shape}
      </svg>
      {word}
    </span>
  );
}
