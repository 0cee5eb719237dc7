import { beforeEach, describe, expect, test } from "vitest";
import { deactivatePerson } from "../../../server/src/domain/people/account-deactivation.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { tokenOf } from "../../support/mails.js";
import { connect, type Connected, type ToolResult } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

describe("open invitations end with the permissions they depend on", () => {
  const current = useApp();
  let owner: Connected;
  let admin: Connected;
  let workspaceId: string;

  beforeEach(async () => {
    owner = await connect(current());
    const { workspace } = await owner.ok<{ workspace: { id: string } }>("create_workspace", {
      name: "Lab",
    });
    workspaceId = workspace.id;
    const { organization } = owner.member;
    const place = { workspace: "Lab", workspaceRole: "admin" } as const;
    admin = await connect(current(), { organization, role: "admin", ...place });
  });

  let count = 0;

  async function invite(by: Connected, more: Record<string, unknown> = {}): Promise<string> {
    count += 1;
    const made = await by.ok<{ invite: { id: string } }>("create_invite", {
      email: `ended-${count}@example.com`,
      ...more,
    });
    return made.invite.id;
  }

  async function statusesOf(...ids: string[]): Promise<string[]> {
    const { invites } = await owner.ok<{ invites: { id: string; status: string }[] }>(
      "list_invites",
      { status: "all" },
    );
    return ids.map((id) => invites.find((one) => one.id === id)?.status ?? "none");
  }

  const remove = (member: Connected["member"], more: Record<string, unknown>) =>
    owner.call("remove_user", { user_id: member.userId, ...more });

  const isDone = ({ isError }: ToolResult) => isError !== true;

  test("removing a person withdraws invitations from them and to their address", async () => {
    const { app, db } = current();
    const sent = [
      await invite(admin, { organization_role: "admin" }),
      await invite(admin, { workspace_id: "Lab" }),
    ];
    const kept = await invite(owner);
    const person = await aMember(db, { organization: owner.member.organization, role: "member" });
    const back = await invite(owner, { email: person.email, workspace_id: "Lab" });
    const token = await tokenOf(current(), back);

    expect(isDone(await remove(admin.member, { from_organization: true, dry_run: true }))).toBe(
      true,
    );
    expect(await statusesOf(...sent)).toEqual(["pending", "pending"]);
    expect(isDone(await remove(admin.member, { from_organization: true }))).toBe(true);
    expect(isDone(await remove(person, { from_organization: true }))).toBe(true);

    expect(await statusesOf(...sent, back, kept)).toEqual([
      "revoked",
      "revoked",
      "revoked",
      "pending",
    ]);
    const page = await (await signIn(app, person)).get(`/invites/${token}`);
    expect(page.statusCode).toBe(410);
    const rows = await db.query<{ mails: number; lines: number }>(
      `SELECT (SELECT count(*)::int FROM mail_outbox WHERE invite_id = ANY ($1::text[])) AS mails,
         (SELECT count(*)::int FROM activity_log WHERE type = 'invite_withdrawn'
            AND details ->> 'invite_id' = ANY ($1::text[])) AS lines`,
      [[...sent, back]],
    );
    expect(rows).toEqual([{ mails: 0, lines: 3 }]);
  });

  test("AUD-20 deleting a workspace withdraws its invitations, cancels their emails, and logs it", async () => {
    const id = await invite(owner, { workspace_id: "Lab" });
    const kept = await invite(owner);

    await owner.ok("delete_workspace", { workspace_id: "Lab" });

    expect(await statusesOf(id, kept)).toEqual(["revoked", "pending"]);
    const rows = await current().db.query(
      `SELECT (SELECT count(*)::int FROM mail_outbox WHERE invite_id = $1) AS mails, l.user_id, l.details
       FROM activity_log l WHERE l.type = 'invite_withdrawn' AND l.organization_id = $2`,
      [id, owner.member.organizationId],
    );
    const details: unknown = expect.objectContaining({ invite_id: id, workspace_id: workspaceId });
    expect(rows).toEqual([{ mails: 0, user_id: owner.member.userId, details }]);
  });

  test("a demoted admin keeps invitations allowed to workspace admins, until that role ends too", async () => {
    const { app } = current();
    const ofAdmins = [await invite(admin, { organization_role: "admin" }), await invite(admin)];
    const toLab = await invite(admin, { workspace_id: "Lab" });
    const browser = await signIn(app, owner.member);
    const { userId } = admin.member;

    const question = await browser.get(`/settings/members/${userId}/role?role=member`);
    expect(question.body).toContain("Open invitations that members can't send");
    expect((await browser.submitForm(question, {})).statusCode).toBe(303);

    expect(await statusesOf(...ofAdmins, toLab)).toEqual(["revoked", "revoked", "pending"]);
    const role = await browser.get(`/settings/members/${userId}/workspaces/${workspaceId}`);
    expect((await browser.submitForm(role, { workspace_role: "member" })).statusCode).toBe(303);
    expect(await statusesOf(toLab)).toEqual(["revoked"]);
  });

  test("a person leaving one workspace can't return by an earlier invitation to it", async () => {
    const { app, db } = current();
    await owner.ok("create_workspace", { name: "Yard" });
    const person = await aMember(db, { organization: owner.member.organization, role: "member" });
    const [toLab, toYard] = [
      await invite(owner, { email: person.email, workspace_id: "Lab" }),
      await invite(owner, { email: person.email, workspace_id: "Yard" }),
    ];
    const browser = await signIn(app, owner.member);
    const form = await browser.get(`/settings/members/${person.userId}/add`);
    await browser.submitForm(form, { workspace_id: workspaceId, workspace_role: "member" });

    expect(isDone(await remove(person, { workspace_id: "Lab" }))).toBe(true);

    expect(await statusesOf(toLab, toYard)).toEqual(["revoked", "pending"]);
  });

  test("RVK-08 deactivating a person withdraws their invitations", async () => {
    const { app, db } = current();
    const sent = [
      await invite(admin, { organization_role: "admin" }),
      await invite(admin, { workspace_id: "Lab" }),
    ];
    const kept = await invite(owner);
    const address = `/invites/${await tokenOf(current(), sent[0] ?? "")}`;
    const browser = createBrowser(app);
    const page = await browser.get(address);

    await db.transaction((tx) => deactivatePerson(tx, admin.member.userId));

    const fields = { name: "Another account", password: "four unrelated words" };
    expect((await browser.submitForm(page, fields)).statusCode).toBe(410);
    expect(await statusesOf(...sent, kept)).toEqual(["revoked", "revoked", "pending"]);
  });
});
