import { EntitySchema } from "typeorm";

export interface Organization {
  id: string;
  name: string;
  slug: string;
  /** Fixed once the first number is used. */
  inventoryPrefix: string;
  /** A counter that only grows. */
  nextInventorySeq: string;
  /** Of the next maintenance task; only grows. */
  nextTaskNumber: string;
  /** IANA name. */
  timeZone: string;
  /** ISO 4217 code. */
  currency: string;
  /** BCP 47 tag. */
  locale: string;
  settings: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

export const OrganizationEntity = new EntitySchema<Organization>({
  name: "Organization",
  tableName: "organizations",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "organizations_pkey" },
    name: { type: "text" },
    slug: { type: "text" },
    inventoryPrefix: { name: "inventory_prefix", type: "text" },
    nextInventorySeq: { name: "next_inventory_seq", type: "bigint", default: 1 },
    nextTaskNumber: { name: "next_task_number", type: "bigint", default: 1 },
    timeZone: { name: "time_zone", type: "text", default: "UTC" },
    currency: { type: "char", length: 3, default: "USD" },
    locale: { type: "text", default: "en" },
    settings: { type: "jsonb", default: {} },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    updatedAt: { name: "updated_at", type: "timestamptz", default: () => "now()" },
    version: { type: "integer", default: 1 },
  },
  uniques: [{ name: "organizations_slug_key", columns: ["slug"] }],
  checks: [
    { name: "organizations_name_check", expression: "char_length(name) BETWEEN 1 AND 120" },
    { name: "organizations_slug_check", expression: "slug ~ '^[a-z0-9-]{2,40}$'" },
    {
      name: "organizations_inventory_prefix_check",
      expression: "inventory_prefix ~ '^[A-Z0-9]{1,8}$'",
    },
  ],
});
