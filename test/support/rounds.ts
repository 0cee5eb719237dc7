import type { TestApp } from "./app.js";
import { aTeam, anAsset, readAsset, type Team } from "./asset-pages.js";
import { createWorkspace } from "../../server/src/domain/organizations/workspaces.js";
import { commit } from "../../server/src/domain/history/transactions.js";
import { toCaller, type Member } from "./builders.js";
import { signIn } from "./oauth.js";

interface Labelled {
  id: string;
  number: string;
  /** The label's code. */
  code: string;
}

export interface Building {
  team: Team;
  /** In the workspace "Plant", at two locations. */
  pump: Labelled;
  fan: Labelled;
  /** In "Vault", visible only to organization admins. */
  hidden: Labelled;
  /** In "Office", whose only member is `elsewhere`. */
  lamp: Labelled;
}

export async function aBuilding(current: TestApp): Promise<Building> {
  const team = await aTeam(current);
  const { db } = current;
  const make = async (given: Parameters<typeof anAsset>[2]): Promise<Labelled> => {
    const { id } = await anAsset(current, team, given);
    const row = await readAsset(current, id);
    return { id, number: String(row?.["inventory_number"]), code: String(row?.["qr_token"]) };
  };
  const owner = toCaller(team.owner);
  const vault = await commit({ db, caller: null }, (tx) =>
    createWorkspace(tx, owner, { name: "Vault" }),
  );
  return {
    team,
    pump: await make({ name: "Pump", location: "Pit 1", serial_number: "SN-Pump-7" }),
    fan: await make({ name: "Fan", location: "Roof" }),
    hidden: await make({ name: "Safe", workspace_id: vault.workspace.id }),
    lamp: await make({ name: "Lamp", workspace_id: team.elsewhere.workspaceId }),
  };
}

/** Starts a round through "Plant" on its page. Returns the address of the round. */
export async function startRound(
  { app }: TestApp,
  by: Member,
  fields: Record<string, string>,
): Promise<string> {
  const browser = await signIn(app, by);
  const page = await browser.get("/rounds/new");
  const answer = await browser.submitForm(page, fields, { action: "/rounds/new" });
  return String(answer.headers.location);
}
