// @module-tag embedded

import type { Scope } from "fettle-shared";
import { beforeAll, describe, expect, test } from "vitest";
import { allTools } from "../../../server/src/mcp/registry.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { callback } from "../../support/oauth.js";

interface Stock {
  asset: string;
  number: string;
  task: string;
  invite: string;
  second: string;
  spare: string;
  colleague: string;
}

interface Row {
  tool: string;
  scope: Scope;
  purpose: string;
  args: (stock: Stock) => Json;
  shows: Json;
}

const read = "mcp_read";
const write = "mcp_write";

const rows: Row[] = [
  {
    tool: "list_assets",
    scope: read,
    purpose: "List assets of the organization.",
    args: () => ({}),
    shows: { total_count: 1 },
  },
  {
    tool: "get_asset",
    scope: read,
    purpose: "Read one asset.",
    args: ({ asset }) => ({ asset_id: asset }),
    shows: { asset: { name: "Pump" } },
  },
  {
    tool: "list_workspaces",
    scope: read,
    purpose: "List workspaces.",
    args: () => ({}),
    shows: { total_count: 2 },
  },
  {
    tool: "list_maintenance_tasks",
    scope: read,
    purpose: "List maintenance tasks; supports a state filter.",
    args: () => ({ state: "scheduled" }),
    shows: { tasks: [{ title: "Check" }] },
  },
  {
    tool: "get_maintenance_task",
    scope: read,
    purpose: "Read one task.",
    args: ({ task }) => ({ task_id: task }),
    shows: { task: { title: "Check" } },
  },
  {
    tool: "search_asset_history",
    scope: read,
    purpose: "Search asset history.",
    args: ({ asset }) => ({ asset_id: asset, order: "oldest" }),
    shows: { events: [{ type: "asset_created" }, { type: "task_created" }] },
  },
  {
    tool: "get_organization_stats",
    scope: read,
    purpose: "Organization statistics.",
    args: () => ({}),
    shows: { assets: { total: 1 }, tasks: { total: 1 } },
  },
  {
    tool: "get_current_user",
    scope: read,
    purpose: "Current user.",
    args: () => ({}),
    shows: { user: { name: "Olga Owner" } },
  },
  {
    tool: "list_invites",
    scope: read,
    purpose: "List invitations.",
    args: () => ({}),
    shows: { total_count: 2 },
  },
  {
    tool: "list_users",
    scope: read,
    purpose: "List users.",
    args: () => ({}),
    shows: { total_count: 2 },
  },
  {
    tool: "generate_asset_qr_codes",
    scope: read,
    purpose: "Generate QR codes for assets (several at once).",
    args: ({ asset, number }) => ({ asset_ids: [asset, number] }),
    shows: { codes: [{ name: "Pump" }, { name: "Pump" }] },
  },
  {
    tool: "create_asset",
    scope: write,
    purpose: "Create an asset; can carry workspace context.",
    args: () => ({ name: "Fan", workspace_id: "Lab" }),
    shows: { asset: { name: "Fan", workspace_name: "Lab" } },
  },
  {
    tool: "update_asset",
    scope: write,
    purpose: "Update an asset.",
    args: ({ asset }) => ({ asset_id: asset, location: "Bay 3" }),
    shows: { changed: [{ field: "location", to: "Bay 3" }] },
  },
  {
    tool: "update_asset_state",
    scope: write,
    purpose: "Change asset state, including deleted.",
    args: ({ asset }) => ({ asset_id: asset, state: "deleted", dry_run: true }),
    shows: { asset: { state: "deleted" } },
  },
  {
    tool: "create_maintenance_task",
    scope: write,
    purpose: "Create a task.",
    args: ({ asset }) => ({ asset_id: asset, title: "Grease" }),
    shows: { task: { title: "Grease", state: "scheduled" } },
  },
  {
    tool: "update_maintenance_task",
    scope: write,
    purpose: "Update a task.",
    args: ({ task }) => ({ task_id: task, priority: "urgent" }),
    shows: { changed: [{ field: "priority", from: "medium", to: "urgent" }] },
  },
  {
    tool: "create_invite",
    scope: write,
    purpose: "Create an invitation.",
    args: () => ({ email: "second@example.com" }),
    shows: { invite: { status: "pending" } },
  },
  {
    tool: "delete_invite",
    scope: write,
    purpose: "Withdraw an invitation.",
    args: ({ second }) => ({ invite_id: second }),
    shows: { invite: { status: "revoked" } },
  },
  {
    tool: "resend_invite",
    scope: write,
    purpose: "Resend an invitation.",
    args: ({ invite }) => ({ invite_id: invite }),
    shows: { invite: { email: "new@example.com", status: "pending" } },
  },
  {
    tool: "remove_user",
    scope: write,
    purpose: "Revoke a user's access.",
    args: ({ colleague }) => ({ user_id: colleague, from_organization: true }),
    shows: { removed_from: "organization" },
  },
  {
    tool: "create_workspace",
    scope: write,
    purpose: "Create a workspace.",
    args: () => ({ name: "Depot" }),
    shows: { workspace: { name: "Depot" } },
  },
  {
    tool: "update_workspace",
    scope: write,
    purpose: "Update a workspace.",
    args: ({ spare }) => ({ workspace_id: spare, name: "Store" }),
    shows: { workspace: { name: "Store" } },
  },
  {
    tool: "delete_workspace",
    scope: write,
    purpose: "Delete a workspace (refused if it holds assets or tasks).",
    args: ({ spare }) => ({ workspace_id: spare }),
    shows: { deleted: true },
  },
  {
    tool: "force_delete_asset",
    scope: "mcp_destructive",
    purpose: "Permanently delete an asset, its tasks and its history.",
    args: ({ asset, number }) => ({ asset_id: asset, confirm_inventory_number: number }),
    shows: { deleted: true, tasks_removed: 2 },
  },
];

describe("specification: the tools", () => {
  const testApp = useApp();
  let owner: Connected;
  let stock: Stock;

  beforeAll(async () => {
    owner = await connect(testApp(), { name: "Olga Owner" });
    const { organization } = owner.member;
    const colleague = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
    const { workspace } = await owner.ok<{ workspace: { id: string } }>("create_workspace", {
      name: "Spare",
    });
    const { asset } = await owner.ok<{ asset: { id: string; inventory_number: string } }>(
      "create_asset",
      { name: "Pump" },
    );
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      asset_id: asset.id,
      title: "Check",
    });
    const { invite } = await owner.ok<{ invite: { id: string } }>("create_invite", {
      email: "new@example.com",
    });
    const { invite: second } = await owner.ok<{ invite: { id: string } }>("create_invite", {
      email: "third@example.com",
    });
    stock = {
      asset: asset.id,
      number: asset.inventory_number,
      task: task.id,
      invite: invite.id,
      second: second.id,
      spare: workspace.id,
      colleague: colleague.member.userId,
    };
  });

  test("the table names all tools in list order", () => {
    expect(rows.map(({ tool }) => tool)).toEqual(allTools.map(({ name }) => name));
  });

  test.each(rows)("$tool | $scope | $purpose", async ({ tool, scope, args, shows }) => {
    const others = (["mcp_read", "mcp_write", "mcp_destructive"] as const).filter(
      (other) => other !== scope,
    );
    const { member } = owner;
    const without = await connect(testApp(), { member, scopes: others });
    const only = await connect(testApp(), { member, scopes: [scope] });

    expect((await without.refused(tool, args(stock))).message).toBe(
      `Insufficient scope. Required: ${scope}.`,
    );
    expect(await only.ok(tool, args(stock))).toMatchObject(shows);
  });

  test.each<{ granted: Scope[] }>([
    { granted: ["mcp_read"] },
    { granted: ["mcp_write"] },
    { granted: ["mcp_destructive"] },
    { granted: ["mcp_read", "mcp_write"] },
  ])(
    "rule: the list includes force_delete_asset for $granted; calling it without mcp_destructive fails",
    async ({ granted }) => {
      const person = await connect(testApp(), { member: owner.member, scopes: granted });

      expect((await listOf(person.token)).map(({ name }) => name)).toEqual(
        allTools.map(({ name }) => name),
      );
      if (granted.includes("mcp_destructive")) return;
      const refusal = await person.refused("force_delete_asset", {});
      expect(refusal.message).toBe("Insufficient scope. Required: mcp_destructive.");
    },
  );

  describe("HTTP endpoints", () => {
    const get = (url: string) => testApp().app.inject({ method: "GET", url });

    test("POST /mcp carries all tool calls", async () => {
      expect(await listOf(owner.token)).toHaveLength(24);
      const answer = await testApp().app.inject({ method: "POST", url: "/mcp", payload: {} });
      expect(answer.statusCode).toBe(401);
    });

    test("POST /oauth/register: dynamic client registration", async () => {
      const answer = await testApp().app.inject({
        method: "POST",
        url: "/oauth/register",
        payload: { client_name: "App", redirect_uris: [callback] },
      });

      expect(answer.statusCode).toBe(201);
      expect(answer.json()).toHaveProperty("client_id");
    });

    test("GET /oauth/authorize answers with an HTML page", async () => {
      const answer = await get("/oauth/authorize");

      expect(answer.statusCode).toBe(400);
      expect(answer.headers["content-type"]).toContain("text/html");
    });

    test("POST /oauth/token: token exchange and refresh", async () => {
      const answer = await testApp().app.inject({
        method: "POST",
        url: "/oauth/token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: "grant_type=refresh_token&refresh_token=x&client_id=fettle-bridge",
      });

      expect(answer.json()).toMatchObject({ error: "invalid_grant" });
    });

    test("POST /oauth/revoke: token revocation", async () => {
      const answer = await testApp().app.inject({
        method: "POST",
        url: "/oauth/revoke",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: "token=x&client_id=fettle-bridge",
      });

      expect(answer.statusCode).toBe(200);
    });

    test.each(["oauth-authorization-server", "oauth-protected-resource"])(
      "GET /.well-known/%s lists scopes_supported",
      async (document) => {
        const answer = await get(`/.well-known/${document}`);

        expect(answer.json()).toMatchObject({
          scopes_supported: ["mcp_read", "mcp_write", "mcp_destructive"],
        });
      },
    );
  });

  async function listOf(token: string): Promise<{ name: string }[]> {
    const answer = await testApp().app.inject({
      method: "POST",
      url: "/mcp",
      headers: { authorization: `Bearer ${token}` },
      payload: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    });
    return answer.json<{ result: { tools: { name: string }[] } }>().result.tools;
  }
});
