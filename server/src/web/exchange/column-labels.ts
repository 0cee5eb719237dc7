import { translated } from "../../language/translate.js";
import { toFieldLabel } from "../text/field-labels.js";

/** Whose heading in a file has other words than its field in a form. */
const otherLabels: Partial<Record<string, string>> = translated({
  cost_center: "Cost center",
  warranty_expires_on: "Warranty ends",
  in_service_date: "In service since",
  end_of_life_on: "End of life",
  task_number: "Task number",
  asset_id: "Asset number",
  completed_at: "Completed at",
  due_date: "Due date",
  estimated_minutes: "Estimated minutes",
  requires_downtime: "Takes asset out of use",
  completion_notes: "Completion notes",
  labor_cost: "Labor cost",
  actual_minutes: "Actual minutes",
  downtime_minutes: "Downtime minutes",
  failure_cause: "Failure cause",
  workspace_role: "Workspace role",
  organization_role: "Organization role",
});

/** What a column of a file can be; in English as files are headed. */
export function toColumnLabel(field: string): string {
  return otherLabels[field] ?? toFieldLabel(field);
}
