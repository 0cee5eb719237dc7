import { describe, expect, inject, test } from "vitest";
import { changeRules } from "../../../server/src/domain/organizations/organization-rules.js";
import { lockAssignmentsShared } from "../../../server/src/db/locks.js";
import { useApp } from "../../support/app.js";
import { aMember, aTask, toCaller, type Member } from "../../support/builders.js";
import { untilOneWaits } from "../../support/database.js";
import type { TestBrowser } from "../../support/browser.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

describe("member roles", () => {
  const current = useApp();

  const join = (owner: Member, role: "owner" | "admin" | "member", workspace?: string) =>
    aMember(current().db, {
      organization: owner.organization,
      role,
      ...(workspace !== undefined && { workspace }),
    });

  async function roleOf({ organizationId, userId }: Member): Promise<string> {
    const row = await current().db.maybe<{ role: string }>(
      "SELECT role FROM organization_members WHERE organization_id = $1 AND user_id = $2",
      [organizationId, userId],
    );
    return row?.role ?? "";
  }

  async function activityOf(organizationId: string, type: string) {
    const rows = await current().db.query<{ details: Record<string, unknown> }>(
      "SELECT details FROM activity_log WHERE organization_id = $1 AND type = $2 ORDER BY id",
      [organizationId, type],
    );
    return rows.map(({ details }) => details);
  }

  /** Uses the confirmation page. */
  async function change(browser: TestBrowser, person: Member, role: string, fields = {}) {
    const question = await browser.get(`/settings/members/${person.userId}/role?role=${role}`);
    expect(question.statusCode).toBe(200);
    return browser.submitForm(question, fields);
  }

  /** Posts a form that no page offers. */
  async function force(browser: TestBrowser, person: Member, role: string) {
    const page = await browser.get("/settings/members/invite");
    return browser.post(`/settings/members/${person.userId}/role`, {
      _csrf: /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "",
      organization_role: role,
    });
  }

  test("an owner promotes an admin to owner, then demotes them to member, with logs", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const admin = await join(owner, "admin");
    const browser = await signIn(app, owner);

    expect((await change(browser, admin, "owner")).statusCode).toBe(303);
    expect(await roleOf(admin)).toBe("owner");
    const answer = await change(browser, admin, "member");

    const page = await browser.get(String(answer.headers.location));
    expect(page.body).toContain(`${admin.name} is now a member of the organization.`);
    expect(await roleOf(admin)).toBe("member");
    expect(await activityOf(owner.organizationId, "role_changed")).toMatchObject([
      { user_id: admin.userId, from: "admin", to: "owner" },
      { user_id: admin.userId, from: "owner", to: "member" },
    ]);
  });

  test("an admin changes members and admins but can't promote or demote owners", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const [admin, member] = [await join(owner, "admin"), await join(owner, "member")];
    const browser = await signIn(app, admin);

    expect((await change(browser, member, "admin")).statusCode).toBe(303);
    expect(await roleOf(member)).toBe("admin");
    expect((await browser.get(`/settings/members/${owner.userId}`)).body).not.toContain("New role");
    expect((await force(browser, owner, "member")).statusCode).toBe(403);
    expect((await force(browser, member, "owner")).statusCode).toBe(403);
    expect([await roleOf(owner), await roleOf(member)]).toEqual(["owner", "admin"]);
  });

  test("people can't change their own role, and the last owner remains", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    await join(owner, "admin");
    const browser = await signIn(app, owner);

    const answer = await force(browser, owner, "member");

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("You can't change your own role");
    expect(await roleOf(owner)).toBe("owner");
  });

  test("a member without rights and an outsider can't change roles", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const [member, other] = [await join(owner, "member"), await join(owner, "member")];
    const stranger = await aMember(db);

    expect((await force(await signIn(app, stranger), other, "admin")).statusCode).toBe(404);
    const browser = await signIn(app, member);
    const home = await browser.get("/");
    const refused = await browser.post(`/settings/members/${owner.userId}/role`, {
      _csrf: /name="_csrf" value="([^"]*)"/.exec(home.body)?.[1] ?? "",
      organization_role: "member",
    });

    expect(refused.statusCode).toBe(403);
    expect([await roleOf(owner), await roleOf(other)]).toEqual(["owner", "member"]);
  });

  test("keeps one owner when two owners demote each other at the same time", async () => {
    const { app, db } = current();
    const one = await aMember(db);
    const two = await join(one, "owner");
    const [first, second] = [await signIn(app, one), await signIn(app, two)];
    const [forTwo, forOne] = [
      await first.get(`/settings/members/${two.userId}/role?role=member`),
      await second.get(`/settings/members/${one.userId}/role?role=member`),
    ];

    const answers = await Promise.all([
      first.submitForm(forTwo, {}),
      second.submitForm(forOne, {}),
    ]);

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 403]);
    expect([await roleOf(one), await roleOf(two)].sort()).toEqual(["member", "owner"]);
  });

  test("reassigns items hidden from a demoted admin, or leaves them unassigned", async () => {
    const { app, db } = current();
    const owner = await connect(current());
    for (const name of ["Lab", "Yard"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    const admin = await aMember(db, { organization, role: "admin", workspace: "Lab" });
    const heir = await aMember(db, { organization, role: "admin" });
    const assign = { assigned_to_user_id: admin.userId };
    const ids: Record<string, string> = {};
    for (const workspace_id of ["Lab", "Yard"]) {
      const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
        name: `Pump in ${workspace_id}`,
        workspace_id,
        ...assign,
      });
      ids[workspace_id] = asset.id;
      await aTask(db, owner.member, { asset_id: asset.id, ...assign });
    }
    const browser = await signIn(app, owner.member);

    const question = await browser.get(`/settings/members/${admin.userId}/role?role=member`);
    expect(question.body).toContain("is assigned to 1 open task and 1 asset in workspaces they");
    expect(await roleOf(admin)).toBe("admin");
    const answer = await browser.submitForm(question, { reassign_to_user_id: heir.userId });

    const after = await browser.get(String(answer.headers.location));
    expect(after.body).toContain(`${heir.name} takes over 1 open task and 1 asset.`);
    const responsible = async (id: string | undefined) => {
      const rows = await db.query<{ who: string }>(
        `SELECT assigned_to_user_id AS who FROM assets WHERE id = $1
         UNION ALL SELECT assigned_to_user_id FROM maintenance_tasks WHERE asset_id = $1`,
        [id],
      );
      return rows.map(({ who }) => who);
    };
    expect(await responsible(ids["Lab"])).toEqual([admin.userId, admin.userId]);
    expect(await responsible(ids["Yard"])).toEqual([heir.userId, heir.userId]);
    const { events } = await owner.ok<{ events: { type: string }[] }>("search_asset_history", {
      asset_id: ids["Yard"],
      event_types: ["asset_assigned"],
    });
    expect(events).toHaveLength(1);
  });

  test("names the person who changed an outdated role, and applies a repeated submission once", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { name: "Olga Owner" });
    const [admin, person] = [await join(owner, "admin"), await join(owner, "member")];
    const [first, second] = [await signIn(app, owner), await signIn(app, admin)];
    const stale = await second.get(`/settings/members/${person.userId}/role?role=admin`);
    const fresh = await first.get(`/settings/members/${person.userId}/role?role=owner`);

    expect((await first.submitForm(fresh, {})).statusCode).toBe(303);
    expect((await first.submitForm(fresh, {})).statusCode).toBe(303);
    expect(await activityOf(owner.organizationId, "role_changed")).toHaveLength(1);
    expect((await second.submitForm(stale, {})).statusCode).toBe(403);

    const old = await first.get(`/settings/members/${person.userId}/role?role=admin`);
    await change(first, person, "member");
    const refused = await first.submitForm(old, {});
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("&quot;Olga Owner&quot; has since changed");
    expect(refused.body).toContain("to member, not owner");
    expect(await roleOf(person)).toBe("member");
  });

  test("a workspace admin adds visible people and changes roles only in their own workspace", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const { organization } = owner;
    const boss = await aMember(db, {
      organization,
      role: "member",
      workspace: "Lab",
      workspaceRole: "admin",
    });
    await aMember(db, { ...boss, role: "member", workspace: "Yard", workspaceRole: "member" });
    const person = await aMember(db, { organization, role: "member", workspace: "Yard" });
    const hidden = await aMember(db, { organization, role: "member" });
    const browser = await signIn(app, boss);
    const address = `/settings/members/${person.userId}`;

    const form = await browser.get(`${address}/add`);
    expect(form.body).toContain(">Lab</option>");
    expect(form.body).not.toContain(">Yard</option>");
    const added = await browser.submitForm(form, {
      workspace_id: owner.workspaceId ?? "",
      workspace_role: "viewer",
    });
    expect(added.statusCode).toBe(303);
    const role = await browser.get(`${address}/workspaces/${owner.workspaceId ?? ""}`);
    expect((await browser.submitForm(role, { workspace_role: "admin" })).statusCode).toBe(303);
    expect((await browser.submitForm(role, { workspace_role: "admin" })).statusCode).toBe(303);
    const stale = await browser.submitForm(role, { workspace_role: "member" });
    expect([stale.statusCode, stale.body]).toEqual([
      400,
      expect.stringContaining("after you opened this form") as string,
    ]);
    expect(
      (await browser.get(`${address}/workspaces/${person.workspaceId ?? ""}`)).statusCode,
    ).toBe(403);
    const yard = await browser.submitForm(form, {
      workspace_id: person.workspaceId ?? "",
      workspace_role: "viewer",
    });
    expect(yard.statusCode).toBe(403);
    expect((await browser.get(`/settings/members/${hidden.userId}/add`)).statusCode).toBe(404);
    expect(await activityOf(owner.organizationId, "workspace_member_added")).toMatchObject([
      { user_id: person.userId, workspace: "Lab", role: "viewer" },
    ]);
    expect(await activityOf(owner.organizationId, "workspace_role_changed")).toMatchObject([
      { user_id: person.userId, workspace: "Lab", from: "viewer", to: "admin" },
    ]);
  });

  test("shows the current role when adding a member again, and rejects a foreign workspace", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const foreign = await aMember(db, { workspace: "Elsewhere" });
    const person = await aMember(db, { organization: owner.organization, role: "member" });
    const browser = await signIn(app, owner);
    const form = await browser.get(`/settings/members/${person.userId}/add`);
    const add = (workspace_id: string | undefined, workspace_role: string) =>
      browser.submitForm(form, { workspace_id: workspace_id ?? "", workspace_role });

    expect((await add(owner.workspaceId, "member")).statusCode).toBe(303);
    expect((await add(owner.workspaceId, "member")).statusCode).toBe(303);
    const other = await add(owner.workspaceId, "viewer");
    expect(other.statusCode).toBe(400);
    expect(other.body).toContain("already has the member role in");
    expect((await add(foreign.workspaceId, "viewer")).body).toContain(
      "This workspace no longer exists. Choose another one.",
    );
    expect((await add("", "viewer")).body).toContain("Choose a workspace.");
  });

  test.runIf(inject("databaseUrl") !== null)(
    "RVK-21 a promotion to admin waits for a new rule for admins",
    async () => {
      const { app, db } = current();
      const owner = await aMember(db, { role: "owner" });
      const person = await join(owner, "member");
      const browser = await signIn(app, owner);
      await db.query(
        "INSERT INTO authenticators (user_id, secret_encrypted, last_step) VALUES ($1, '', 0)",
        [owner.userId],
      );
      const rules = { admins_need_second_factor: true, destructive_needs_second_factor: false };
      const { changing } = await db.transaction(async (tx) => {
        await changeRules(tx, toCaller(owner), "second_factor", rules);
        const begun = change(browser, person, "admin");
        await untilOneWaits(db);
        return { changing: begun };
      });

      await changing;
      expect(await roleOf(person)).toBe("admin");
    },
  );

  test.runIf(inject("databaseUrl") !== null)(
    "a promotion to admin lets new tasks take their number first",
    async () => {
      const { app, db } = current();
      const owner = await aMember(db, { role: "owner" });
      const person = await join(owner, "member");
      const browser = await signIn(app, owner);
      const { changing } = await db.transaction(async (tx) => {
        await lockAssignmentsShared(tx, owner.organizationId);
        const begun = change(browser, person, "admin");
        await untilOneWaits(db);
        await tx.query("SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE NOWAIT", [
          owner.organizationId,
        ]);
        return { changing: begun };
      });

      await changing;
      expect(await roleOf(person)).toBe("admin");
    },
  );
});
