import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import {
  findExpected,
  findFindings,
  type ExpectedAsset,
  type Finding,
} from "../../domain/rounds/find-findings.js";
import { mayDoRound, type RoundRow } from "../../domain/rounds/rounds.js";
import { findWorkspaceChoices } from "../../domain/organizations/workspace-choices.js";
import { findNewWays, type NewWays } from "../labels/scan/add-scanned.js";

export interface RoundView {
  caller: Caller;
  round: RoundRow;
  /** The assets that were not seen yet, while the round is in progress. */
  expected: { assets: ExpectedAsset[]; total: number };
  findings: readonly Finding[];
  /** True if the caller may scan and end the round. */
  mayScan: boolean;
  /** The ways to add an asset for an unknown code. */
  waysOf: (code: string) => NewWays;
}

export async function readRoundView(db: Tx, caller: Caller, round: RoundRow): Promise<RoundView> {
  const [expected, findings, mayScan, workspaces] = await Promise.all([
    round.ended_at === null ? findExpected(db, caller, round) : { assets: [], total: 0 },
    findFindings(db, caller, round),
    mayDoRound(db, caller, round),
    findWorkspaceChoices(db, caller),
  ]);
  const waysOf = (code: string) => findNewWays(caller, workspaces, code);
  return { caller, round, expected, findings, mayScan, waysOf };
}
