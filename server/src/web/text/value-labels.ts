import type {
  AssetCondition,
  AssetState,
  Criticality,
  DeletionReason,
} from "../../db/entities/assets.js";
import type {
  FailureCause,
  TaskActivity,
  TaskPriority,
  TaskState,
  TaskType,
} from "../../db/entities/tasks.js";
import type { PlainText } from "../../language/texts.js";
import { translated } from "../../language/translate.js";
import type { OrganizationRole, WorkspaceRole } from "../../domain/access/caller.js";

/* Labels of stored values on pages. Their order is the order of choices. */

export const assetStateTexts = {
  available: "Available",
  in_use: "In use",
  in_maintenance: "In maintenance",
  out_of_service: "Out of service",
  stored: "Stored",
  deleted: "Retired",
} as const satisfies Record<AssetState, PlainText>;

export const assetStateLabels: Record<AssetState, string> = translated(assetStateTexts);

/** Stored states, and "overdue", which is derived from the due date. */
export const taskStateLabels: Record<TaskState | "overdue", string> = translated({
  overdue: "Overdue",
  scheduled: "Scheduled",
  in_progress: "In progress",
  on_hold: "On hold",
  completed: "Completed",
  cancelled: "Cancelled",
});

export const criticalityLabels: Record<Criticality, string> = translated({
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
});

const conditionLabels: Record<AssetCondition, string> = translated({
  excellent: "Excellent",
  good: "Good",
  fair: "Fair",
  poor: "Poor",
  failed: "Failed",
});

export const deletionReasonLabels: Record<DeletionReason, string> = translated({
  disposed: "Disposed of",
  sold: "Sold",
  scrapped: "Scrapped",
  lost: "Lost",
  stolen: "Stolen",
  donated: "Donated",
  returned: "Returned",
  duplicate: "Duplicate entry",
  entered_in_error: "Entered by mistake",
  other: "Other",
});

export const taskTypeLabels: Record<TaskType, string> = translated({
  preventive: "Preventive",
  inspection: "Inspection",
  corrective: "Corrective",
  condition_based: "Condition based",
  calibration: "Calibration",
  compliance_test: "Compliance test",
  improvement: "Improvement",
  other: "Other",
});

export const priorityLabels: Record<TaskPriority, string> = translated({
  urgent: "Urgent",
  high: "High",
  medium: "Medium",
  low: "Low",
});

export const activityLabels: Record<TaskActivity, string> = translated({
  replace: "Replaced",
  repair: "Repaired",
  modify: "Modified",
  adjust: "Adjusted",
  refit: "Refitted",
  check: "Checked",
  service: "Serviced",
  test: "Tested",
  inspect: "Inspected",
  overhaul: "Overhauled",
  other: "Other",
});

export const failureCauseLabels: Record<FailureCause, string> = translated({
  design: "Design",
  installation: "Installation",
  operation: "Operation",
  wear: "Wear",
  external: "External",
  management: "Management",
  unknown: "Unknown",
});

export const organizationRoleLabels: Record<OrganizationRole, string> = translated({
  owner: "Owner",
  admin: "Admin",
  member: "Member",
});

export const workspaceRoleLabels: Record<WorkspaceRole, string> = translated({
  admin: "Admin",
  member: "Member",
  viewer: "Viewer",
});

/** The values that a record of labels contains, in its order. */
export function choicesOf<Value extends string>(words: Record<Value, string>): Value[] {
  return Object.keys(words) as Value[];
}

const labelsByField: Partial<Record<string, Record<string, string>>> = {
  get state() {
    return { ...taskStateLabels, ...assetStateLabels };
  },
  criticality: criticalityLabels,
  condition: conditionLabels,
  deletion_reason: deletionReasonLabels,
  type: taskTypeLabels,
  priority: priorityLabels,
  activity: activityLabels,
  failure_cause: failureCauseLabels,
  organization_role: organizationRoleLabels,
  workspace_role: workspaceRoleLabels,
};

/** The labels of a field's fixed values, in the order of choices. */
export function valueLabelsOf(field: string): Record<string, string> {
  return labelsByField[field] ?? {};
}

/** The label of a field's value in a history, if the field has fixed values. */
export function toValueLabel(field: string, value: string): string {
  return labelsByField[field]?.[value] ?? value;
}
