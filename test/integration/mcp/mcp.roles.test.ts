import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

type Role = "owner" | "admin" | "workspace admin" | "member" | "viewer" | "outsider";

describe("roles", () => {
  const testApp = useApp();
  const people = new Map<Role, Connected>();
  const assets: Record<string, string> = {};

  const as = (role: Role) => {
    const person = people.get(role);
    if (person === undefined) throw new Error(`nobody is ${role}`);
    return person;
  };

  beforeAll(async () => {
    const owner = await connect(testApp(), { name: "Olga Owner" });
    people.set("owner", owner);
    for (const name of ["Lab", "Yard"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    const join = async (role: Role, options: Parameters<typeof connect>[1]) => {
      people.set(role, await connect(testApp(), { organization, role: "member", ...options }));
    };
    await join("admin", { role: "admin", name: "Adam Admin" });
    await join("workspace admin", { workspace: "Lab", workspaceRole: "admin", name: "Ana Keller" });
    await join("member", { workspace: "Lab", workspaceRole: "member" });
    await join("viewer", { workspace: "Lab", workspaceRole: "viewer" });
    await join("outsider", {});
    for (const place of ["Lab", "Yard", undefined]) {
      const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
        name: `Asset ${place ?? "unplaced"}`,
        ...(place !== undefined && { workspace_id: place }),
      });
      assets[place ?? "unplaced"] = asset.id;
    }
  });

  /** Expects the call to work only for these people. All others get an error code. */
  async function expectAllowed(
    call: (person: Connected) => { tool: string; args: Json },
    allowed: Role[],
    refusals: Partial<Record<Role, string>> = {},
  ) {
    for (const [role, person] of people) {
      const { tool, args } = call(person);
      const result = await person.call(tool, args);
      const code = (result.structuredContent["error"] as { code?: string } | undefined)?.code;
      const expected = allowed.includes(role) ? undefined : (refusals[role] ?? "forbidden");
      expect(code, `${role}: ${result.content[0]?.text ?? ""}`).toBe(expected);
    }
  }

  test("shows unplaced assets to everyone, workspace assets only to workspace members and organization admins", async () => {
    await expectAllowed(
      () => ({ tool: "get_asset", args: { asset_id: assets["unplaced"] } }),
      [...people.keys()],
    );
    await expectAllowed(
      () => ({ tool: "get_asset", args: { asset_id: assets["Lab"] } }),
      ["owner", "admin", "workspace admin", "member", "viewer"],
      { outsider: "not_found" },
    );
    await expectAllowed(
      () => ({ tool: "get_asset", args: { asset_id: assets["Yard"] } }),
      ["owner", "admin"],
      {
        "workspace admin": "not_found",
        member: "not_found",
        viewer: "not_found",
        outsider: "not_found",
      },
    );
    const seen = await as("member").ok<{ assets: { name: string }[] }>("list_assets");
    expect(seen.assets.map(({ name }) => name)).toEqual(["Asset Lab", "Asset unplaced"]);
  });

  test("lets members of a workspace change its assets, but not viewers", async () => {
    const allowed: Role[] = ["owner", "admin", "workspace admin", "member"];
    const unseen = { outsider: "not_found" };

    await expectAllowed(
      ({ member }) => ({
        tool: "update_asset",
        args: { asset_id: assets["Lab"], location: member.userId },
      }),
      allowed,
      unseen,
    );
    await expectAllowed(
      () => ({
        tool: "update_asset_state",
        args: { asset_id: assets["Lab"], state: "deleted", dry_run: true },
      }),
      allowed,
      unseen,
    );
    await expectAllowed(
      () => ({ tool: "create_asset", args: { name: "New", workspace_id: "Lab" } }),
      allowed,
      unseen,
    );
  });

  test("lets only organization admins change unplaced assets", async () => {
    await expectAllowed(
      ({ member }) => ({
        tool: "update_asset",
        args: { asset_id: assets["unplaced"], location: member.userId },
      }),
      ["owner", "admin"],
    );
    await expectAllowed(
      () => ({ tool: "create_asset", args: { name: "New" } }),
      ["owner", "admin"],
      {
        "workspace admin": "validation_failed",
        member: "validation_failed",
      },
    );
    await expectAllowed(
      () => ({
        tool: "update_asset",
        args: { asset_id: assets["Lab"], clear_fields: "workspace_id", dry_run: true },
      }),
      ["owner", "admin"],
      { outsider: "not_found" },
    );
  });

  test("lets admins of the workspace or organization set inventory numbers", async () => {
    const allowed: Role[] = ["owner", "admin", "workspace admin"];
    const unseen = { outsider: "not_found" };

    await expectAllowed(
      ({ member }) => ({
        tool: "create_asset",
        args: { name: "New", workspace_id: "Lab", inventory_number: member.userId.slice(4) },
      }),
      allowed,
      unseen,
    );
    await expectAllowed(
      ({ member }) => ({
        tool: "update_asset",
        args: { asset_id: assets["Lab"], inventory_number: `U-${member.userId.slice(4)}` },
      }),
      allowed,
      unseen,
    );
  });

  test("requires a role in both workspaces for a move", async () => {
    await expectAllowed(
      () => ({
        tool: "update_asset",
        args: { asset_id: assets["Lab"], workspace_id: "Yard", dry_run: true },
      }),
      ["owner", "admin"],
      {
        "workspace admin": "not_found",
        member: "not_found",
        viewer: "not_found",
        outsider: "not_found",
      },
    );
  });

  test("lets only organization admins create workspaces", async () => {
    await expectAllowed(
      ({ member }) => ({ tool: "create_workspace", args: { name: member.userId.slice(4) } }),
      ["owner", "admin"],
    );
  });

  test("a refusal names the required role and the people to ask", async () => {
    const inLab = await as("viewer").refused("update_asset", {
      asset_id: assets["Lab"],
      name: "X",
    });
    const inOrganization = await as("member").refused("create_workspace", { name: "X" });
    const unplaced = await as("member").refused("create_asset", { name: "X" });
    const nowhere = await as("viewer").refused("create_asset", { name: "X" });

    expect(inLab.message).toBe(
      'Not authorized: your role in "Lab" is viewer; member or admin is needed to edit assets. Ask a workspace admin: "Ana Keller".',
    );
    expect(inOrganization.message).toBe(
      'Not authorized: your role in the organization is member; admin or owner is needed to create workspaces. Ask an organization admin: "Adam Admin" or "Olga Owner".',
    );
    expect(unplaced.message).toMatch(
      /^Validation failed: workspace_id is missing\. Only organization admins can add assets without a workspace\. Use one of: "Lab" \(wsp_[0-9a-z]{12}\)\.$/,
    );
    expect(nowhere.message).toMatch(/^Not authorized: /);
  });

  test("hides names from workspaces the person can't see", async () => {
    const owner = as("owner");
    const secret = { serial_number: "SER-1", inventory_number: "SECRET-1" };
    await owner.ok("create_asset", { name: "Hidden thing", workspace_id: "Yard", ...secret });
    const child = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Child",
      workspace_id: "Lab",
      parent_asset_id: "SECRET-1",
    });

    const taken = await as("workspace admin").refused("create_asset", {
      name: "Y",
      workspace_id: "Lab",
      inventory_number: "SECRET-1",
    });
    const twin = await as("member").call("create_asset", {
      name: "Z",
      workspace_id: "Lab",
      serial_number: "SER-1",
    });
    const parts = await as("member").call("get_asset", { asset_id: child.asset.id });
    const near = await as("member").refused("get_asset", { asset_id: "Hidden thin" });

    expect(taken.message).toContain("(by an asset you can't see)");
    expect(twin.structuredContent).not.toHaveProperty("warnings");
    expect(parts.structuredContent["asset"]).not.toHaveProperty("parent_asset_id");
    for (const text of [
      taken.message,
      twin.content[0]?.text,
      parts.content[0]?.text,
      near.message,
    ]) {
      expect(text).not.toContain("Hidden thing");
    }
  });
});
