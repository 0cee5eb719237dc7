import { commit } from "../../server/src/domain/history/transactions.js";
import { createAsset, type NewAsset } from "../../server/src/domain/assets/create-asset.js";
import type { TestApp } from "./app.js";
import { aMember, toCaller, type MemberOptions } from "./builders.js";

/** People of one organization with a workspace "Plant", and one person of another organization. */
export async function aTeam({ db }: Pick<TestApp, "db">) {
  const owner = await aMember(db, { name: "Olga Owner", workspace: "Plant" });
  const { organization } = owner;
  const join = (options: MemberOptions) =>
    aMember(db, { organization, role: "member", workspace: "Plant", ...options });
  return {
    owner,
    workspaceId: owner.workspaceId ?? "",
    lead: await join({ name: "Lena Lead", workspaceRole: "admin" }),
    member: await join({ name: "Mo Member", workspaceRole: "member" }),
    viewer: await join({ name: "Vic Viewer", workspaceRole: "viewer" }),
    elsewhere: await join({ name: "Eli Elsewhere", workspace: "Office", workspaceRole: "admin" }),
    stranger: await aMember(db, { name: "Sam Stranger" }),
  };
}

export type Team = Awaited<ReturnType<typeof aTeam>>;

/** Creates an asset, in "Plant" by default. */
export async function anAsset(
  { db }: Pick<TestApp, "db">,
  { owner, workspaceId }: Team,
  given: Partial<NewAsset> = {},
) {
  const fields = { name: "Air compressor", workspace_id: workspaceId, ...given };
  const { asset } = await commit({ db, caller: null }, (tx) =>
    createAsset(tx, toCaller(owner), fields),
  );
  return asset;
}

/** Returns the stored asset, or undefined if it is gone. */
export async function readAsset({ db }: Pick<TestApp, "db">, id: string) {
  const row = await db.maybe<Record<string, unknown>>(
    `SELECT a.*, a.purchase_cost::float8 AS cost, c.name::text AS category FROM assets a
     LEFT JOIN asset_categories c ON c.id = a.category_id WHERE a.id = $1`,
    [id],
  );
  return row;
}

/** Texts that pose as something else. NUL is first, which databases reject. */
export const hostileTexts = {
  nul: "a\0b",
  script: `"><script>alert(1)</script><img src=x onerror=alert(1)>`,
  rightToLeft: "a\u202Eb",
  long: "x".repeat(10_000),
};
