import { EntitySchema } from "typeorm";

export type RepeatUnit = "day" | "week" | "month" | "year";
export type RepeatAnchor = "due_date" | "completion_date";

/** A repeat rule; its tasks are its occurrences. */
export interface MaintenancePlan {
  id: string;
  organizationId: string;
  every: number;
  unit: RepeatUnit;
  anchor: RepeatAnchor;
  /** The day of the month to come back to after a shorter month. */
  anchorDay: number;
  /** No occurrence is due after this day. */
  endsOn: string | null;
  /** False: no further occurrence is made. */
  active: boolean;
  createdBy: string;
  createdAt: Date;
}

export const MaintenancePlanEntity = new EntitySchema<MaintenancePlan>({
  name: "MaintenancePlan",
  tableName: "maintenance_plans",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "maintenance_plans_pkey" },
    organizationId: { name: "organization_id", type: "text" },
    every: { type: "integer" },
    unit: { type: "text" },
    anchor: { type: "text" },
    anchorDay: { name: "anchor_day", type: "integer" },
    endsOn: { name: "ends_on", type: "date", nullable: true },
    active: { type: "boolean", default: true },
    createdBy: { name: "created_by", type: "text" },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
  },
  foreignKeys: [
    {
      name: "maintenance_plans_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    {
      name: "maintenance_plans_created_by_fkey",
      target: "User",
      columnNames: ["createdBy"],
      referencedColumnNames: ["id"],
    },
  ],
  uniques: [
    { name: "maintenance_plans_organization_id_id_key", columns: ["organizationId", "id"] },
  ],
  checks: [
    { name: "maintenance_plans_every_check", expression: "every BETWEEN 1 AND 999" },
    {
      name: "maintenance_plans_unit_check",
      expression: "unit IN ('day', 'week', 'month', 'year')",
    },
    {
      name: "maintenance_plans_anchor_check",
      expression: "anchor IN ('due_date', 'completion_date')",
    },
    { name: "maintenance_plans_anchor_day_check", expression: "anchor_day BETWEEN 1 AND 31" },
  ],
});
