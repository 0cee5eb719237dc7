import { citext, flag, instant, instantNow, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";
import type { AssetState } from "./assets.js";

const reportStatuses = ["open", "accepted", "merged", "answered", "refused"] as const;
export type ReportStatus = (typeof reportStatuses)[number];

export const ProblemReport = table(
  "problem_reports",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    asset_id: text().references("assets", "CASCADE"),
    /**
     * Idempotency key of the form and its content. A form that is sent twice creates one report.
     */
    request_key: text(),
    description: text(),
    still_usable: flag(),
    /** The asset's state before this report put it out of service. */
    state_before: text<AssetState>().nullable(),
    /** When someone made the asset usable or retired it, after a report that it can't be used. */
    usable_again_at: instant().nullable(),
    /** Null: a person without an account. Their name and address may be known. */
    reported_by: text().nullable().references("users"),
    name: text().nullable(),
    email: citext().nullable(),
    status: oneOf(reportStatuses).default("open"),
    /** The task that the report was accepted as or merged into. */
    task_id: text().nullable().references("maintenance_tasks", "CASCADE"),
    /** Another report of the problem. Its outcome applies to this report. */
    merged_into: text().nullable().references("problem_reports", "CASCADE"),
    /** Reply to the reporter. */
    answer: text().nullable(),
    closed_by: text().nullable().references("users"),
    closed_at: instant().nullable(),
    created_at: instantNow(),
  },
  {
    uniques: [["organization_id", "request_key"]],
    indexes: {
      asset_id: ["organization_id", "asset_id"],
      task_id: ["organization_id", "task_id"],
      merged_into: ["organization_id", "merged_into"],
      reported_by: ["organization_id", "reported_by", "created_at"],
      open: ["organization_id", "created_at"],
    },
    sqlIndexes: ["unusable"],
    checks: ["description", "closed"],
  },
);
export type ProblemReport = Row<typeof ProblemReport>;
