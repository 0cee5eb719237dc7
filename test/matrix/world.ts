import type { TestApp } from "../support/app.js";
import type { TestBrowser } from "../support/browser.js";
import { aMember, type Member, type MemberOptions } from "../support/builders.js";
import { connect, type Connected, type Json } from "../support/mcp.js";
import { signIn } from "../support/oauth.js";

/** The app whose changes are undone afterwards. */
const matrixApp = "matrix-app";

/** An organization with a few people, and an asset to which everything is attached. */
export interface World {
  current: TestApp;
  owner: Connected;
  /** The owner through a separate app, whose changes can be undone. */
  app: Connected;
  /** A member of "Plant", to whom personal rows are attached. */
  mo: Connected;
  lead: Member;
  viewer: Member;
  pages: TestBrowser;
  moPages: TestBrowser;
  plant: string;
  office: string;
  /** The asset in "Plant", and a similar one to merge it with. */
  pump: string;
  twin: string;
  /** Open work on the asset, assigned to the member. */
  job: string;
  command: (args: string[]) => Promise<{ code: number; errors: string[] }>;
  /** Addresses created by some rows. They are opened after each operation. */
  addresses: string[];
}

export const make = async (by: Connected, tool: string, args: Json): Promise<string> =>
  Object.values(await by.ok<Record<string, { id: string }>>(tool, args))[0]?.id ?? "";

let worlds = 0;

export async function aWorld(current: TestApp, command: World["command"]): Promise<World> {
  worlds += 1;
  const { app, db } = current;
  const organization = `Works ${worlds}`;
  await db.query(
    `INSERT INTO oauth_clients (id, name, redirect_uris, grant_types, token_endpoint_auth_method)
     VALUES ('${matrixApp}', 'Matrix app', '{}', '{}', 'none') ON CONFLICT DO NOTHING`,
  );
  const owner = await connect(current, { organization, name: "Olga Owner", workspace: "Plant" });
  const join = (options: MemberOptions) =>
    aMember(db, { organization, role: "member", workspace: "Plant", ...options });
  const lead = await join({ name: "Lena Lead", workspaceRole: "admin" });
  const viewer = await join({ name: "Vic Viewer", workspaceRole: "viewer" });
  // A name that appears in no other text.
  const [name, email] = [`Mo Quillfeather${worlds}x`, `quillfeather${worlds}x@example.com`];
  const mo = await connect(current, {
    member: await join({ name, email, workspaceRole: "member" }),
  });
  const office = await make(owner, "create_workspace", { name: "Office" });
  const place = { workspace_id: "Plant", location: "Bay 1" };
  const pump = await make(owner, "create_asset", {
    ...place,
    name: "Pump",
    inventory_number: "P-1",
  });
  const twin = await make(owner, "create_asset", {
    ...place,
    name: "Twin",
    inventory_number: "P-2",
  });
  const job = await make(owner, "create_maintenance_task", {
    ...{
      asset_id: pump,
      title: "Oil",
      due_date: "2026-12-10",
      assigned_to_user_id: mo.member.userId,
    },
  });
  return {
    ...{ current, command, owner, mo, lead, viewer, office, pump, twin, job },
    app: await connect(current, { member: owner.member, clientId: matrixApp }),
    pages: await signIn(app, owner.member),
    moPages: await signIn(app, mo.member),
    plant: owner.member.workspaceId ?? "",
    addresses: [],
  };
}

export const organizationOf = ({ owner }: World) => owner.member.organizationId;

export async function codeOf({ current, owner }: World, asset: string): Promise<string> {
  const row = await current.db.maybe<{ code: string }>(
    "SELECT qr_token AS code FROM assets WHERE organization_id = $1 AND id = $2",
    [owner.member.organizationId, asset],
  );
  return row?.code ?? "";
}
