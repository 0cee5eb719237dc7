import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

type Role = "owner" | "admin" | "workspace admin" | "member" | "viewer" | "outsider";

interface Listed {
  invites: { id: string; email: string }[];
  total_count: number;
}

describe("invitations", () => {
  const testApp = useApp();
  const people = new Map<Role, Connected>();
  const ids: Record<string, string> = {};
  let count = 0;

  const as = (role: Role) => {
    const person = people.get(role);
    if (person === undefined) throw new Error(`nobody is ${role}`);
    return person;
  };
  const newAddress = () => `new-${(count += 1)}@example.com`;

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
    // The workspace admin is a plain member of another workspace.
    await testApp().db.query(
      `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role)
       SELECT id, $1, organization_id, 'member' FROM workspaces WHERE name = 'Yard'`,
      [as("workspace admin").member.userId],
    );
    for (const place of ["Lab", "Yard", undefined]) {
      const { invite } = await owner.ok<{ invite: { id: string } }>("create_invite", {
        email: `${place ?? "nowhere"}@example.com`,
        ...(place !== undefined && { workspace_id: place }),
      });
      ids[place ?? "nowhere"] = invite.id;
    }
  });

  /** Error codes by role, undefined for success. */
  async function codes(
    call: (person: Connected) => { tool: string; args: Json },
  ): Promise<Record<string, string | undefined>> {
    const heard: Record<string, string | undefined> = {};
    for (const [role, person] of people) {
      const { tool, args } = call(person);
      const { structuredContent } = await person.call(tool, args);
      heard[role] = (structuredContent["error"] as { code?: string } | undefined)?.code;
    }
    return heard;
  }

  test("owners and admins invite anywhere, workspace admins only into their workspace", async () => {
    const into = (args: Json) =>
      codes(() => ({ tool: "create_invite", args: { email: newAddress(), ...args } }));
    const forbidden = { member: "forbidden", viewer: "forbidden", outsider: "forbidden" };

    expect(await into({ workspace_id: "Lab", workspace_role: "admin" })).toEqual({
      ...forbidden,
      outsider: "not_found",
    });
    expect(await into({ workspace_id: "Yard" })).toEqual({
      "workspace admin": "forbidden",
      member: "not_found",
      viewer: "not_found",
      outsider: "not_found",
    });
    expect(await into({})).toEqual({ ...forbidden, "workspace admin": "validation_failed" });
    expect(await into({ organization_role: "admin", workspace_id: "Lab" })).toEqual({
      ...forbidden,
      "workspace admin": "forbidden",
      outsider: "not_found",
    });
  });

  test("an owner can't be invited", async () => {
    const refusal = await as("owner").refused("create_invite", {
      email: newAddress(),
      organization_role: "owner",
    });

    expect(refusal).toMatchObject({ code: "validation_failed", field: "organization_role" });
  });

  test("lists allowed workspaces to workspace admins who omit the workspace", async () => {
    const refusal = await as("workspace admin").refused("create_invite", { email: newAddress() });

    expect(refusal.message).toMatch(
      /^Validation failed: workspace_id is missing\. Only organization admins can invite people without a workspace\. Use one of: "Lab" \(wsp_[0-9a-z]{12}\)\.$/,
    );
  });

  test("only people who can invite see invitations; workspace admins see their workspace's", async () => {
    const all = await as("admin").ok<Listed>("list_invites", { limit: 100 });
    const own = await as("workspace admin").ok<Listed>("list_invites", { limit: 100 });

    expect(all.invites.map(({ id }) => id)).toEqual(
      expect.arrayContaining([ids["Lab"], ids["Yard"], ids["nowhere"]]),
    );
    expect(own.invites.map(({ id }) => id)).toContain(ids["Lab"]);
    expect(own.invites.map(({ id }) => id)).not.toContain(ids["Yard"]);
    expect(own.invites.map(({ id }) => id)).not.toContain(ids["nowhere"]);
    expect(own.total_count).toBe(own.invites.length);
    expect(await codes(() => ({ tool: "list_invites", args: {} }))).toEqual({
      member: "forbidden",
      viewer: "forbidden",
      outsider: "forbidden",
    });
    const refusal = await as("member").refused("list_invites");
    expect(refusal.message).toBe(
      'Not authorized: your role in the organization is member; admin or owner is needed to view invitations. Ask an organization admin: "Adam Admin" or "Olga Owner".',
    );
  });

  test("only admins of a place can list its invitations", async () => {
    const of = (workspace_id: string) =>
      codes(() => ({ tool: "list_invites", args: { workspace_id } }));
    const forbidden = { member: "forbidden", viewer: "forbidden" };

    expect(await of("Lab")).toEqual({ ...forbidden, outsider: "not_found" });
    expect(await of("Yard")).toEqual({
      "workspace admin": "forbidden",
      member: "not_found",
      viewer: "not_found",
      outsider: "not_found",
    });
    expect(await of("none")).toEqual({
      ...forbidden,
      "workspace admin": "forbidden",
      outsider: "forbidden",
    });
  });

  test.each(["resend_invite", "delete_invite"])(
    "%s finds only invitations visible to the caller",
    async (tool) => {
      const notFound = { member: "not_found", viewer: "not_found", outsider: "not_found" };
      const on = async (place: string) => {
        await testApp().db.query("UPDATE invites SET last_sent_at = now() - interval '1 hour'");
        return codes(() => ({ tool, args: { invite_id: ids[place] } }));
      };

      // One resend a minute per invitation, for all callers together.
      const second = tool === "resend_invite" ? "rate_limited" : undefined;
      expect(await on("Lab")).toEqual({ admin: second, "workspace admin": second, ...notFound });
      for (const place of ["Yard", "nowhere"]) {
        expect(await on(place)).toEqual({
          admin: second,
          "workspace admin": "not_found",
          ...notFound,
        });
      }
    },
  );

  test("a person who can't create an invitation can't resend it, but can withdraw it", async () => {
    const { invite } = await as("owner").ok<{ invite: { id: string } }>("create_invite", {
      email: newAddress(),
      workspace_id: "Lab",
      organization_role: "admin",
    });
    const person = as("workspace admin");

    const refusal = await person.refused("resend_invite", { invite_id: invite.id });
    await as("admin").ok("resend_invite", { invite_id: invite.id });
    await person.ok("delete_invite", { invite_id: invite.id });

    expect(refusal.code).toBe("forbidden");
    expect(refusal.message).toContain("needed to invite admins of the organization.");
  });

  test("doesn't reveal memberships elsewhere to a workspace admin", async () => {
    const { email } = as("outsider").member;

    const answer = await as("workspace admin").call("create_invite", {
      email,
      workspace_id: "Lab",
    });

    expect(answer.isError).toBeUndefined();
    expect(answer.content[0]?.text).not.toContain(as("outsider").member.userId);
  });
});
