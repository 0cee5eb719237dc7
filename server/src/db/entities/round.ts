import { instant, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** Somebody goes through a workspace, or a location in it, and scans what is there. */
export const Round = table(
  "rounds",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    /** Null: the workspace was deleted. */
    workspace_id: text().nullable().references("workspaces"),
    /** The name of a deleted workspace. */
    workspace_name: text().nullable(),
    /** Null: all of the workspace. */
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
