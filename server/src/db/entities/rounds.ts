import { instant, instantNow, text, oneOf } from "../columns.js";
import { table, type Row } from "../table.js";

/** A person goes through a workspace or location and scans its assets. */
export const Round = table(
  "rounds",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    /** Null: the workspace was deleted. */
    workspace_id: text().nullable().references("workspaces"),
    /** The name of a deleted workspace. */
    workspace_name: text().nullable(),
    /** Null: the whole workspace. */
    location: text().nullable(),
    started_by: text().references("users"),
    started_at: instantNow(),
    ended_by: text().nullable().references("users"),
    ended_at: instant().nullable(),
  },
  {
    indexes: {
      started_at: ["organization_id", "started_at", "id"],
      ended_at: ["organization_id", "ended_at"],
      workspace_id: ["organization_id", "workspace_id"],
    },
    checks: ["location", "ended", "workspace"],
  },
);
export type Round = Row<typeof Round>;

export const findingOutcomes = ["seen", "elsewhere", "unknown", "missing"] as const;
export type FindingOutcome = (typeof findingOutcomes)[number];

/** A scan of a round, or at its end an asset that was not scanned. */
export const RoundFinding = table(
  "round_findings",
  {
    organization_id: text().primary(),
    round_id: text().primary().references("rounds", "CASCADE"),
    /** Created by the scanner before sending, so a scan that is sent twice is stored once. */
    id: text().primary(),
    outcome: oneOf(findingOutcomes),
    asset_id: text().nullable().references("assets", "CASCADE"),
    /** A scanned code that belongs to no asset. */
    code: text().nullable(),
    /** Null: the asset was not found. */
    found_by: text().nullable().references("users"),
    found_at: instant(),
  },
  {
    uniques: [
      ["organization_id", "round_id", "asset_id"],
      ["organization_id", "round_id", "code"],
    ],
    indexes: { asset_id: ["organization_id", "asset_id"] },
    checks: ["code", "subject"],
  },
);
export type RoundFinding = Row<typeof RoundFinding>;
