import { citext, flag, instant, instantNow, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";
import type { AssetState } from "./assets.js";

const reportStatuses = ["open", "accepted", "merged", "answered", "refused"] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/** A printed code with which people report problems with a workspace or a location in it. */
export const PlaceLabel = table(
  "place_labels",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    workspace_id: text().references("workspaces", "CASCADE"),
    /** Null: the whole workspace. */
    location: text().nullable(),
    qr_token: text(),
    created_by: text().references("users"),
    created_at: instantNow(),
    revoked_at: instant().nullable(),
  },
  {
    uniques: [["organization_id", "qr_token"]],
    indexes: {
      qr_token: ["qr_token"],
      workspace_id: ["organization_id", "workspace_id"],
    },
    sqlIndexes: ["live"],
    checks: ["location"],
  },
);
export type PlaceLabel = Row<typeof PlaceLabel>;

export const ProblemReport = table(
  "problem_reports",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    /** Null: a problem with a place. */
    asset_id: text().nullable().references("assets", "CASCADE"),
    place_id: text().nullable().references("place_labels", "CASCADE"),
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
      place_id: ["organization_id", "place_id"],
      task_id: ["organization_id", "task_id"],
      merged_into: ["organization_id", "merged_into"],
      reported_by: ["organization_id", "reported_by", "created_at"],
      open: ["organization_id", "created_at"],
    },
    sqlIndexes: ["unusable"],
    checks: ["description", "site", "closed"],
  },
);
export type ProblemReport = Row<typeof ProblemReport>;
