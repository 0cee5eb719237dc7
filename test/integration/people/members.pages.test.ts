import { describe, expect, test } from "vitest";
import { useApp, useServer } from "../../support/app.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

const hostile = `<script>alert("x")</script>`;

describe("members", () => {
  const current = useApp();

  test("an admin finds people by name, role and workspace across pages", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { name: "Olga Owner", workspace: "Lab" });
    const { organization } = owner;
    await aMember(db, { organization, role: "admin", name: hostile });
    for (let number = 10; number < 61; number += 1) {
      await aMember(db, { organization, role: "member", name: `Helper n${number}` });
    }
    const browser = await signIn(app, owner);

    const first = await browser.get("/settings/members");
    expect(first.body).toContain("50 of 53 members");
    expect(first.body).not.toContain(hostile);
    const [, admin = ""] = /href="(\/settings\/members\/usr_\w+)"/.exec(first.body) ?? [];
    expect((await browser.get(admin)).body).toContain("<option value>Choose one</option>");
    expect(first.body).toContain("&lt;script>");
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first.body)?.[1] ?? "";
    const second = await browser.get(next.replaceAll("&amp;", "&"));
    expect(second.body).toContain("3 of 53 members");
    expect((await browser.get("/settings/members?q=helper+n12")).body).toContain("1 member<");
    expect((await browser.get("/settings/members?role=admin")).body).toContain("1 member<");
    expect((await browser.get("/settings/members?workspace=none")).body).toContain("50 of 52");
    expect((await browser.get(`/settings/members?q=${"x".repeat(3000)}`)).statusCode).toBe(200);
    expect((await browser.get("/settings/members?cursor=forged")).statusCode).toBe(400);
  });

  test("a viewer sees people in their workspaces without emails or invitations", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const { organization } = owner;
    const viewer = await aMember(db, {
      organization,
      role: "member",
      workspace: "Lab",
      workspaceRole: "viewer",
    });
    const near = await aMember(db, { organization, role: "member", workspace: "Lab" });
    const far = await aMember(db, { organization, role: "member", workspace: "Yard" });
    const browser = await signIn(app, viewer);

    const page = await browser.get("/settings/members");

    expect(page.body).toContain(near.name);
    expect(page.body).not.toContain(near.email);
    expect(page.body).not.toContain(`${far.name}<`);
    expect(page.body).not.toContain("invitation");
    expect(page.body).not.toContain("Invite a person");
    const person = await browser.get(`/settings/members/${near.userId}`);
    expect(person.body).not.toContain("New role");
    expect(person.body).not.toContain("/remove");
    expect(person.body).not.toContain("<dt>Email</dt>");
    expect((await browser.get(`/settings/members/${far.userId}`)).statusCode).toBe(404);
    expect((await browser.get("/settings/members/nobody")).statusCode).toBe(404);
  });

  test("shows the inviter only to readers who can see both people", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const join = { organization: owner.organization, role: "member" } as const;
    const reader = await aMember(db, { ...join, workspace: "Lab", workspaceRole: "viewer" });
    const near = await aMember(db, { ...join, workspace: "Lab" });
    const far = await aMember(db, { ...join, workspace: "Yard", name: "Farah Far" });
    const address = `/settings/members/${near.userId}`;
    const readAs = async (person: Member, inviter: Member) => {
      const invited = [near.organizationId, near.userId, inviter.userId];
      await db.query(
        `UPDATE organization_members SET invited_by = $3 WHERE organization_id = $1 AND user_id = $2`,
        invited,
      );
      return (await (await signIn(app, person)).get(address)).body;
    };

    expect(await readAs(reader, far)).not.toContain(far.name);
    expect(await readAs(owner, far)).toContain(`<bdi>${far.name}</bdi>`);
    expect(await readAs(reader, owner)).toContain(`<bdi>${owner.name}</bdi>`);
  });

  test("escapes special characters in an email link", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const { organization } = owner;
    const email = "who?cc=x&bcc=y@example.com";
    const { userId } = await aMember(db, { organization, role: "member" });
    await db.query("UPDATE users SET email = $1 WHERE id = $2", [email, userId]);
    const browser = await signIn(app, owner);

    const page = await browser.get(`/settings/members/${userId}`);

    expect(page.body).toContain('href="mailto:who%3Fcc%3Dx%26bcc%3Dy@example.com"');
  });

  test("names a new assignee who can't see the work in the message", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const { organization } = owner;
    const person = await aMember(db, { organization, role: "member", workspace: "Lab" });
    const heir = await aMember(db, { organization, role: "member", workspace: "Yard" });
    await aTask(db, owner, {
      workspace_id: owner.workspaceId ?? "",
      assigned_to_user_id: person.userId,
    });
    const browser = await signIn(app, owner);
    const question = await browser.get(`/settings/members/${person.userId}/remove`);

    await browser.submitForm(question, { reassign_to_user_id: heir.userId });

    expect((await browser.get("/settings/members")).body).toContain(
      `${heir.name} can't see these, so 1 open task became unassigned.`,
    );
  });

  test("a person in another organization is not found", async () => {
    const { app, db } = current();
    const [mine, theirs] = [await aMember(db), await aMember(db)];
    const browser = await signIn(app, mine);

    for (const below of ["", "/role?role=admin", "/add", "/remove"]) {
      const page = await browser.get(`/settings/members/${theirs.userId}${below}`);
      expect(page.statusCode).toBe(404);
    }
  });

  test("shows the effects of a removal, reassigns tasks, and redirects a repeated submission", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const { organization } = owner;
    const person = await connect(current(), { organization, role: "member", workspace: "Lab" });
    const heir = await aMember(db, { organization, role: "member", workspace: "Lab" });
    const { id } = await aTask(db, owner, {
      workspace_id: owner.workspaceId ?? "",
      assigned_to_user_id: person.member.userId,
    });
    const browser = await signIn(app, owner);

    const question = await browser.get(`/settings/members/${person.member.userId}/remove`);
    expect(question.body).toContain("is assigned to 1 open task");
    expect(question.body).toContain("1 of their connected apps will be disconnected.");
    await person.ok("get_current_user");
    const answers = [
      await browser.submitForm(question, { reassign_to_user_id: heir.userId }),
      await browser.submitForm(question, { reassign_to_user_id: heir.userId }),
    ];

    expect(answers.map(({ headers }) => headers.location)).toEqual([
      "/settings/members",
      "/settings/members",
    ]);
    const list = await browser.get("/settings/members");
    expect(list.body).toContain(`${heir.name} takes over 1 open task.`);
    const rows = await db.query(
      "SELECT 1 FROM maintenance_tasks WHERE id = $1 AND assigned_to_user_id = $2",
      [id, heir.userId],
    );
    expect(rows).toHaveLength(1);
    expect((await browser.get(`/settings/members/${person.member.userId}`)).statusCode).toBe(404);
  });

  test("a person leaves one workspace and stays in the others", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const { organization } = owner;
    const person = await aMember(db, { organization, role: "member", workspace: "Lab" });
    await aMember(db, { ...person, role: "member", workspace: "Yard" });
    const browser = await signIn(app, owner);
    const address = `/settings/members/${person.userId}`;

    const question = await browser.get(`${address}/remove?workspace=${owner.workspaceId ?? ""}`);
    expect(question.body).toContain("is still in Yard");
    const answer = await browser.submitForm(question, {});

    expect(answer.headers.location).toBe(address);
    const page = await browser.get(address);
    expect(page.body).toContain("removed from Lab.");
    expect(page.body).toContain("Yard");
    const again = await browser.get(`${address}/remove?workspace=${owner.workspaceId ?? ""}`);
    expect(again.body).toContain("does not belong to it");
    expect(again.body).not.toContain("Remove from Lab</button>");
  });

  test("an admin can't remove an owner or themselves, even with a forged form", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const admin = await aMember(db, { organization: owner.organization, role: "admin" });
    const browser = await signIn(app, admin);
    const page = await browser.get("/settings/members/invite");
    const _csrf = /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";

    expect((await browser.get(`/settings/members/${owner.userId}`)).body).not.toContain("/remove");
    const one = await browser.post(`/settings/members/${owner.userId}/remove`, { _csrf });
    const self = await browser.post(`/settings/members/${admin.userId}/remove`, { _csrf });

    expect([one.statusCode, self.statusCode]).toEqual([403, 400]);
    expect(self.body).toContain("You can't remove yourself");
  });
});

describe("members in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest(
    "every members page passes all checks and works with and without scripts",
    async () => {
      const { db } = current();
      const owner = await aMember(db, { name: "Olga Owner", workspace: "Lab" });
      const { organization } = owner;
      const long = "Longname".repeat(14);
      for (const [index, view] of views.entries()) {
        const name = `${long} ${index}`;
        const person = await aMember(db, { organization, role: "member", workspace: "Lab", name });
        await aTask(db, owner, {
          workspace_id: owner.workspaceId ?? "",
          assigned_to_user_id: person.userId,
        });
        const opened = await openPage(chromium(), current(), owner, view);
        const address = `/settings/members/${person.userId}`;
        const addresses = [
          "/settings/members",
          "/settings/members?q=nobody+at+all",
          address,
          `${address}/role?role=owner`,
          `${address}/add`,
          `${address}/workspaces/${owner.workspaceId ?? ""}`,
          `${address}/remove`,
        ];
        expect(await sweep(opened, addresses)).toEqual({});

        const { page } = opened;
        await page.goto("/settings/members");
        await page.getByRole("searchbox", { name: "Search by name" }).fill(name);
        await page.getByRole("button", { name: "Search" }).click();
        await page.getByRole("link", { name }).click();
        await page.getByLabel("New role").selectOption("Admin");
        await page.getByRole("button", { name: "Change role" }).click();
        await page.getByRole("button", { name: "Make an admin" }).click();
        await page.getByRole("status").getByText("is now an organization admin").waitFor();
        await page.getByRole("link", { name: `Remove from ${organization}` }).click();
        await page.getByLabel("New assignee").selectOption("Olga Owner");
        await page.getByRole("button", { name: `Remove from ${organization}` }).click();
        await page.getByRole("status").getByText("Olga Owner takes over 1 open task").waitFor();
        expect(opened.complaints).toEqual([]);
        await opened.close();
      }
    },
  );
});
