import {
  bigint,
  currency,
  day,
  flag,
  instantNow,
  integer,
  integers,
  json,
  text,
  citext,
} from "../columns.js";
import { table, type Row } from "../table.js";
import { columnsOf, field } from "../fields.js";

export const Organization = table(
  "organizations",
  {
    id: text().primary(),
    name: text(),
    /** One of the `unique_names`. */
    slug: text(),
    /** Fixed once the first number is used. */
    inventory_prefix: text(),
    /** A counter that only grows. */
    next_inventory_seq: bigint().default("1"),
    /** Number of the next maintenance task. Only grows. */
    next_task_number: bigint().default("1"),
    /** IANA name. */
    time_zone: text().default("UTC"),
    /** ISO 4217 code. */
    currency: currency().default("USD"),
    /** BCP 47 tag. */
    locale: text().default("en"),
    settings: json().default({}),
    /** Of people without their own working time. */
    weekly_minutes: integer().default(2280),
    /** ISO weekdays: 1 is Monday. */
    working_days: integers().default([1, 2, 3, 4, 5]),
    /** True if owners and admins have their rights only with a second factor. */
    admins_need_second_factor: flag().default(false),
    /** True if apps get `mcp_destructive` only from people with a second factor. */
    destructive_needs_second_factor: flag().default(false),
    /** True if the person confirms an app's deletions on a page when the app can't ask. */
    deletion_needs_person: flag().default(false),
    /** True if people at a label can report a problem without an account. */
    public_reports: flag().default(false),
    /** The organization's day on which reminders were last written. */
    reminded_on: day().nullable(),
    /** For a sample organization: its person, and how much of it is filled. */
    sample_of: text().nullable().references("users"),
    sample_percent: integer().nullable(),
    /** For a sample: the organization whose limits apply. */
    sample_from: text().nullable(),
    created_at: instantNow(),
    updated_at: instantNow(),
    version: integer().default(1),
  },
  {
    indexes: { sample_of: ["sample_of"] },
    checks: ["name", "slug", "inventory_prefix", "time_zone", "working_time"],
  },
);
export type Organization = Row<typeof Organization>;

/** Rules that owners and admins turn on and off, by form. */
export const organizationRules = {
  organization: ["public_reports"],
  second_factor: ["admins_need_second_factor", "destructive_needs_second_factor"],
  deletions: ["deletion_needs_person"],
} as const satisfies Record<string, readonly (keyof Organization)[]>;

export type RuleForm = keyof typeof organizationRules;
export type RuleOf<Form extends RuleForm> = (typeof organizationRules)[Form][number];
export type OrganizationRule = RuleOf<RuleForm>;

export const workspaceFields = {
  name: field.text({ max: 100, required: true }),
  description: field.text({ max: 2000, multiline: true }),
  address: field.text({ max: 500, multiline: true }),
};

export const Workspace = table(
  "workspaces",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    ...columnsOf(workspaceFields),
    name: citext(),
    created_by: text().references("users"),
    created_at: instantNow(),
    updated_at: instantNow(),
    version: integer().default(1),
  },
  {
    uniques: [["organization_id", "name"]],
    checks: ["name", "description", "address"],
  },
);
export type Workspace = Row<typeof Workspace>;
