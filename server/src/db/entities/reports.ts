import { citext, flag, instant, instantNow, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";
import type { AssetState } from "./assets.js";

const reportStatuses = ["open", "accepted", "merged", "answered", "refused"] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/** What somebody says is wrong with an asset, until it is decided what becomes of it. */
export const ProblemReport = table(
  "problem_reports",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    asset_id: text().references("assets", "CASCADE"),
    /** Of the form and what was sent with it: the same sent twice reports once. */
    request_key: text(),
    description: text(),
    still_usable: flag(),
    /** The asset's, where the report has put it out of service. */
    state_before: text<AssetState>().nullable(),
    /** When somebody set the asset to a usable state, or retired it, after a report that it cannot be used. */
    usable_again_at: instant().nullable(),
    /** Null: somebody without an account, whose name and address may be known. */
    reported_by: text().nullable().references("users"),
    name: text().nullable(),
    email: citext().nullable(),
    status: oneOf(reportStatuses).default("open"),
    /** What it was accepted as, or merged into. */
    task_id: text().nullable().references("maintenance_tasks", "CASCADE"),
    /** The report that says the same, and whose outcome is that of this one. */
    merged_into: text().nullable().references("problem_reports", "CASCADE"),
    /** To who reported it. */
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
