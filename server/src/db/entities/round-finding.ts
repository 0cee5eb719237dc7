import { instant, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const findingOutcomes = ["seen", "elsewhere", "unknown", "missing"] as const;
export type FindingOutcome = (typeof findingOutcomes)[number];

/** What was scanned in a round, and at its end what was not. */
export const RoundFinding = table(
  "round_findings",
  {
    organization_id: text().primary(),
    round_id: text().primary().references("rounds", "CASCADE"),
    /** Made by who scanned, before it is sent: what is sent twice is stored once. */
    id: text().primary(),
    outcome: oneOf(findingOutcomes),
    asset_id: text().nullable().references("assets", "CASCADE"),
    /** What was read and is of no asset. */
    code: text().nullable(),
    /** Null: of what was not found. */
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
