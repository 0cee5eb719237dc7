import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Listed {
  invites: ({ id: string; email: string; status: string } & Json)[];
  total_count: number;
  next_cursor?: string;
}

const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;

describe("list_invites", () => {
  const testApp = useApp();
  let owner: Connected;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    owner = await connect(testApp(), { name: "Ana Keller" });
    await owner.ok("create_workspace", { name: "Lab" });
    for (const [name, workspace] of [
      ["pending"],
      ["accepted"],
      ["expired"],
      ["revoked"],
      ["placed", "Lab"],
    ] as const) {
      const { invite } = await owner.ok<{ invite: { id: string } }>("create_invite", {
        email: `${name}@example.com`,
        ...(workspace !== undefined && { workspace_id: workspace }),
      });
      ids[name] = invite.id;
    }
    const { db } = testApp();
    await db.query(
      "UPDATE invites SET accepted_at = now(), accepted_by = invited_by WHERE id = $1",
      [ids["accepted"]],
    );
    await db.query("UPDATE invites SET expires_at = now() - interval '1 second' WHERE id = $1", [
      ids["expired"],
    ]);
    await owner.ok("delete_invite", { invite_id: ids["revoked"] });
  });

  const emails = ({ invites }: Listed) => invites.map(({ email }) => email.split("@")[0]);

  test("shows open invitations, newest first", async () => {
    const listed = await owner.ok<Listed>("list_invites");

    expect(emails(listed)).toEqual(["placed", "pending"]);
    expect(listed.total_count).toBe(2);
    expect(listed.invites[0]).toEqual({
      id: ids["placed"],
      email: "placed@example.com",
      status: "pending",
      organization_role: "member",
      workspace_id: expect.stringMatching(/^wsp_/) as string,
      workspace_name: "Lab",
      workspace_role: "member",
      invited_by: "Ana Keller",
      created_at: aTime,
      last_sent_at: aTime,
      expires_at: aTime,
    });
    expect(listed.invites[1]).not.toHaveProperty("workspace_role");
  });

  test.each(["accepted", "expired", "revoked"])("filters by status %s", async (status) => {
    const listed = await owner.ok<Listed>("list_invites", { status });

    expect(listed).toMatchObject({ invites: [{ id: ids[status], status }], total_count: 1 });
  });

  test("filters by workspace or by no workspace", async () => {
    const placed = await owner.ok<Listed>("list_invites", { workspace_id: "lab" });
    const none = await owner.ok<Listed>("list_invites", { workspace_id: "none" });
    const nowhere = await owner.refused("list_invites", { workspace_id: "Yard" });

    expect(emails(placed)).toEqual(["placed"]);
    expect(emails(none)).toEqual(["pending"]);
    expect(nowhere.code).toBe("not_found");
  });

  test("paginates through all invitations without a gap", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Listed = await owner.ok<Listed>("list_invites", {
        status: "all",
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      });
      expect(page.total_count).toBe(5);
      seen.push(...page.invites.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== undefined);

    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(new Set(Object.values(ids)));
  });

  test("rejects a cursor with different filters", async () => {
    const page = await owner.ok<Listed>("list_invites", { limit: 1 });

    const refusal = await owner.refused("list_invites", {
      limit: 1,
      status: "all",
      cursor: page.next_cursor,
    });

    expect(refusal).toMatchObject({ code: "validation_failed", field: "cursor" });
  });

  test("shows nothing from another organization", async () => {
    const stranger = await connect(testApp());

    const listed = await stranger.ok<Listed>("list_invites", { status: "all" });
    const refusal = await stranger.refused("resend_invite", { invite_id: ids["pending"] });

    expect(listed).toEqual({ invites: [], total_count: 0 });
    expect(refusal.code).toBe("not_found");
  });

  test("counts invitations to a deleted workspace as withdrawn, and they never prevent deletion", async () => {
    const { workspace } = await owner.ok<{ workspace: { id: string } }>("create_workspace", {
      name: "Old",
    });
    const other = await owner.ok<{ workspace: { id: string } }>("create_workspace", {
      name: "Older",
    });
    const email = "gone@example.com";
    for (const workspace_id of [undefined, workspace.id, other.workspace.id]) {
      await owner.ok("create_invite", { email, ...(workspace_id && { workspace_id }) });
    }

    for (const { workspace: gone } of [{ workspace }, other]) {
      await owner.ok("delete_workspace", { workspace_id: gone.id });
    }

    const { invites } = await owner.ok<Listed>("list_invites", { status: "all", limit: 3 });
    expect(invites.map(({ status, workspace_name }) => [status, workspace_name])).toEqual([
      ["revoked", "Older"],
      ["revoked", "Old"],
      ["pending", undefined],
    ]);
    const refusal = await owner.refused("resend_invite", { invite_id: invites[0]?.id });
    expect(refusal.message).toContain("create_invite");
  });
});
