import { EntitySchema } from "typeorm";

export const taskTypes = [
  "inspection",
  "preventive",
  "condition_based",
  "corrective",
  "calibration",
  "compliance_test",
  "improvement",
  "other",
] as const;
export type TaskType = (typeof taskTypes)[number];

export const taskPriorities = ["low", "medium", "high", "urgent"] as const;
export type TaskPriority = (typeof taskPriorities)[number];

export const taskStates = [
  "scheduled",
  "in_progress",
  "on_hold",
  "completed",
  "cancelled",
] as const;
export type TaskState = (typeof taskStates)[number];

/** What was done (ISO 14224). */
export const taskActivities = [
  "replace",
  "repair",
  "modify",
  "adjust",
  "refit",
  "check",
  "service",
  "test",
  "inspect",
  "overhaul",
  "other",
] as const;
export type TaskActivity = (typeof taskActivities)[number];

export const failureCauses = [
  "design",
  "installation",
  "operation",
  "wear",
  "external",
  "management",
  "unknown",
] as const;
export type FailureCause = (typeof failureCauses)[number];

export interface MaintenanceTask {
  id: string;
  organizationId: string;
  /** Shown as "T-118". */
  taskNumber: string;
  /** Always the workspace of the asset, kept by a trigger. */
  workspaceId: string | null;
  /** Null for work on a place. */
  assetId: string | null;
  planId: string | null;
  /** Which one of its plan, from 1. */
  occurrence: number | null;
  title: string;
  description: string | null;
  type: TaskType;
  priority: TaskPriority;
  /** As stored; "overdue" is computed. */
  state: TaskState;
  /** True while the asset is deleted, kept by a trigger. */
  hidden: boolean;
  dueDate: string | null;
  assignedToUserId: string | null;
  estimatedMinutes: number | null;
  actualMinutes: number | null;
  downtimeMinutes: number | null;
  requiresDowntime: boolean;
  /** What the asset goes back to when the work that took it out of use ends. */
  assetStateBefore: string | null;
  /** In units of the currency, with four decimals. */
  laborCost: string | null;
  partsCost: string | null;
  otherCost: string | null;
  currency: string | null;
  activity: TaskActivity | null;
  failureCause: FailureCause | null;
  completionNotes: string | null;
  startedAt: Date | null;
  completedAt: Date | null;
  completedBy: string | null;
  cancelledAt: Date | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
  /** Kept by a trigger; never selected. */
  search?: string;
}

export const MaintenanceTaskEntity = new EntitySchema<MaintenanceTask>({
  name: "MaintenanceTask",
  tableName: "maintenance_tasks",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "maintenance_tasks_pkey" },
    organizationId: { name: "organization_id", type: "text" },
    taskNumber: { name: "task_number", type: "bigint" },
    workspaceId: { name: "workspace_id", type: "text", nullable: true },
    assetId: { name: "asset_id", type: "text", nullable: true },
    planId: { name: "plan_id", type: "text", nullable: true },
    occurrence: { type: "integer", nullable: true },
    title: { type: "text" },
    description: { type: "text", nullable: true },
    type: { type: "text" },
    priority: { type: "text", default: "medium" },
    state: { type: "text", default: "scheduled" },
    hidden: { type: "boolean", default: false },
    dueDate: { name: "due_date", type: "date", nullable: true },
    assignedToUserId: { name: "assigned_to_user_id", type: "text", nullable: true },
    estimatedMinutes: { name: "estimated_minutes", type: "integer", nullable: true },
    actualMinutes: { name: "actual_minutes", type: "integer", nullable: true },
    downtimeMinutes: { name: "downtime_minutes", type: "integer", nullable: true },
    requiresDowntime: { name: "requires_downtime", type: "boolean", default: false },
    assetStateBefore: { name: "asset_state_before", type: "text", nullable: true },
    laborCost: { name: "labor_cost", type: "numeric", precision: 16, scale: 4, nullable: true },
    partsCost: { name: "parts_cost", type: "numeric", precision: 16, scale: 4, nullable: true },
    otherCost: { name: "other_cost", type: "numeric", precision: 16, scale: 4, nullable: true },
    currency: { type: "char", length: 3, nullable: true },
    activity: { type: "text", nullable: true },
    failureCause: { name: "failure_cause", type: "text", nullable: true },
    completionNotes: { name: "completion_notes", type: "text", nullable: true },
    startedAt: { name: "started_at", type: "timestamptz", nullable: true },
    completedAt: { name: "completed_at", type: "timestamptz", nullable: true },
    completedBy: { name: "completed_by", type: "text", nullable: true },
    cancelledAt: { name: "cancelled_at", type: "timestamptz", nullable: true },
    createdBy: { name: "created_by", type: "text" },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    updatedAt: { name: "updated_at", type: "timestamptz", default: () => "now()" },
    version: { type: "integer", default: 1 },
    search: { type: "tsvector", default: "", select: false, insert: false, update: false },
  },
  foreignKeys: [
    {
      name: "maintenance_tasks_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    {
      name: "maintenance_tasks_workspace_id_fkey",
      target: "Workspace",
      columnNames: ["organizationId", "workspaceId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "RESTRICT",
    },
    {
      name: "maintenance_tasks_asset_id_fkey",
      target: "Asset",
      columnNames: ["organizationId", "assetId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "RESTRICT",
    },
    {
      name: "maintenance_tasks_plan_id_fkey",
      target: "MaintenancePlan",
      columnNames: ["organizationId", "planId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "RESTRICT",
    },
    {
      name: "maintenance_tasks_assigned_to_user_id_fkey",
      target: "OrganizationMember",
      columnNames: ["organizationId", "assignedToUserId"],
      referencedColumnNames: ["organizationId", "userId"],
    },
    {
      name: "maintenance_tasks_completed_by_fkey",
      target: "User",
      columnNames: ["completedBy"],
      referencedColumnNames: ["id"],
    },
    {
      name: "maintenance_tasks_created_by_fkey",
      target: "User",
      columnNames: ["createdBy"],
      referencedColumnNames: ["id"],
    },
  ],
  uniques: [
    { name: "maintenance_tasks_organization_id_id_key", columns: ["organizationId", "id"] },
    {
      name: "maintenance_tasks_organization_id_task_number_key",
      columns: ["organizationId", "taskNumber"],
    },
    { name: "maintenance_tasks_plan_id_occurrence_key", columns: ["planId", "occurrence"] },
  ],
  indices: [
    // Expressions: only the migration can say it.
    {
      name: "maintenance_tasks_urgency_idx",
      columns: ["organizationId", "state", "dueDate", "id"],
      where: "NOT hidden",
      synchronize: false,
    },
    {
      name: "maintenance_tasks_open_idx",
      columns: ["organizationId", "workspaceId", "dueDate"],
      where: "NOT hidden AND state IN ('scheduled', 'in_progress', 'on_hold')",
    },
    {
      name: "maintenance_tasks_counts_idx",
      columns: ["organizationId", "workspaceId", "state"],
      where: "NOT hidden",
    },
    { name: "maintenance_tasks_asset_id_idx", columns: ["assetId", "state"] },
    {
      name: "maintenance_tasks_asset_open_idx",
      columns: ["organizationId", "assetId"],
      where: "NOT hidden AND state IN ('scheduled', 'in_progress', 'on_hold')",
    },
    {
      name: "maintenance_tasks_corrective_idx",
      columns: ["organizationId", "assetId", "completedAt"],
      where: "type = 'corrective' AND state <> 'cancelled'",
    },
    { name: "maintenance_tasks_workspace_id_idx", columns: ["organizationId", "workspaceId"] },
    {
      name: "maintenance_tasks_assigned_to_user_id_idx",
      columns: ["organizationId", "assignedToUserId"],
    },
    {
      name: "maintenance_tasks_completed_at_idx",
      columns: ["organizationId", "completedAt"],
      where: "state = 'completed'",
    },
    { name: "maintenance_tasks_updated_at_idx", columns: ["organizationId", "updatedAt", "id"] },
    // gin: only the migration can say it.
    { name: "maintenance_tasks_search_idx", columns: ["search"], synchronize: false },
    // gin: only the migration can say it.
    { name: "maintenance_tasks_title_idx", columns: ["title"], synchronize: false },
  ],
  checks: toChecks({
    place: "asset_id IS NOT NULL OR workspace_id IS NOT NULL",
    plan: "(plan_id IS NULL) = (occurrence IS NULL)",
    hidden: "asset_id IS NOT NULL OR NOT hidden",
    title: "char_length(title) BETWEEN 1 AND 200",
    description: "char_length(description) <= 10000",
    completion_notes: "char_length(completion_notes) <= 10000",
    type: "type IN ('inspection', 'preventive', 'condition_based', 'corrective', 'calibration', 'compliance_test', 'improvement', 'other')",
    priority: "priority IN ('low', 'medium', 'high', 'urgent')",
    state: "state IN ('scheduled', 'in_progress', 'on_hold', 'completed', 'cancelled')",
    completed: "(state = 'completed') = (completed_at IS NOT NULL)",
    cancelled: "(state = 'cancelled') = (cancelled_at IS NOT NULL)",
    minutes: "estimated_minutes >= 0 AND actual_minutes >= 0 AND downtime_minutes >= 0",
    costs: "labor_cost >= 0 AND parts_cost >= 0 AND other_cost >= 0",
    currency:
      "currency IS NOT NULL OR (labor_cost IS NULL AND parts_cost IS NULL AND other_cost IS NULL)",
    activity:
      "activity IN ('replace', 'repair', 'modify', 'adjust', 'refit', 'check', 'service', 'test', 'inspect', 'overhaul', 'other')",
    failure_cause:
      "failure_cause IN ('design', 'installation', 'operation', 'wear', 'external', 'management', 'unknown')",
  }),
});

function toChecks(expressions: Record<string, string>) {
  return Object.entries(expressions).map(([name, expression]) => ({
    name: `maintenance_tasks_${name}_check`,
    expression,
  }));
}
