import { describe, expect, test } from "vitest";
import { useApp, useServer } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { mailsOf } from "../../support/mails.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

const form = "/settings/members/invite";

describe("inviting people", () => {
  const current = useApp();

  async function invitesOf({ organizationId }: Member) {
    const rows = await current().db.query<{
      id: string;
      email: string;
      sent_count: number;
      ended: boolean;
    }>(
      `SELECT id, email::text AS email, sent_count, revoked_at IS NOT NULL AS ended FROM invites
         WHERE organization_id = $1 ORDER BY created_at`,
      [organizationId],
    );
    return rows;
  }

  test("keeps an invitation with its link without a mail server; submitting twice creates one", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const browser = await signIn(app, owner);
    const page = await browser.get(form);
    const fields = {
      email: "ana@example.com",
      organization_role: "member",
      workspace_id: owner.workspaceId ?? "",
      workspace_role: "viewer",
      message: "Welcome",
    };

    const answers = [
      await browser.submitForm(page, fields),
      await browser.submitForm(page, fields),
    ];

    const [made] = await invitesOf(owner);
    const address = `/settings/members/invitations/${made?.id ?? ""}`;
    expect(answers.map(({ headers }) => headers.location)).toEqual([address, address]);
    const [mail] = await mailsOf(current(), made?.id ?? "");
    const field = `value="${mail?.letter?.link ?? "none"}"`;
    const shown = await browser.get(address);
    expect(shown.body).toContain("Invitation for ana@example.com created.");
    expect(shown.body).toContain(field);
    const list = await browser.get("/settings/members");
    expect(list.body).toContain(field);
    expect(list.body).toContain("Viewer in Lab");
    expect(list.body).toContain("because email isn't set up");
    expect(await invitesOf(owner)).toHaveLength(1);
    const { organization } = owner;
    const lab = { role: "member", workspace: "Lab", workspaceRole: "admin" } as const;
    const boss = await signIn(app, await aMember(db, { organization, ...lab }));
    expect((await boss.get(address)).statusCode).toBe(403);
    const seen = await boss.get("/settings/members");
    expect(seen.body).toContain("ana@example.com");
    expect(seen.body).not.toContain(field);
  });

  test("shows errors at their field, and keeps all input", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const browser = await signIn(app, owner);
    const page = await browser.get(form);
    const send = (fields: Record<string, string>) => browser.submitForm(page, fields);

    const nothing = await send({ email: " ", message: "Kept as typed" });
    expect(nothing.statusCode).toBe(400);
    expect(nothing.body).toContain(`<a href="#email">Enter the person's email address.</a>`);
    expect(nothing.body).toContain("Kept as typed");
    expect((await send({ email: "<b>no</b>" })).body).toContain(`id="email-error"`);
    expect((await send({ email: owner.email })).body).toContain("is already an owner");
    expect((await send({ email: "a@example.com", message: "x".repeat(501) })).body).toContain(
      `id="message-error"`,
    );
    expect((await send({ email: "a@example.com", organization_role: "owner" })).statusCode).toBe(
      400,
    );
    expect((await send({ email: "a@example.com", workspace_role: "viewer" })).body).toContain(
      `id="workspace_role-error"`,
    );
    expect(await invitesOf(owner)).toEqual([]);
  });

  test("offers to resend an open invitation to the same place", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    await browser.submitForm(await browser.get(form), { email: "ben@example.com" });
    const [invite] = await invitesOf(owner);

    const again = await browser.submitForm(await browser.get(form), { email: "ben@example.com" });

    expect(again.statusCode).toBe(400);
    expect(again.body).toContain("already has an open invitation to the same place");
    const address = `/settings/members/invitations/${invite?.id ?? ""}`;
    expect(again.body).toContain(`${address}/resend`);
    const question = await browser.get(`${address}/resend`);
    expect((await browser.submitForm(question, {})).statusCode).toBe(303);
    expect((await browser.submitForm(question, {})).statusCode).toBe(303);
    expect(await invitesOf(owner)).toMatchObject([{ sent_count: 2 }]);
    const tooSoon = await browser.submitForm(await browser.get(`${address}/resend`), {});
    expect(tooSoon.statusCode).toBe(429);
    expect(Number(tooSoon.headers["retry-after"])).toBeGreaterThan(0);
    expect(tooSoon.body).toContain("try again in");
  });

  test("doesn't resend a replaced invitation, and the page says why", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const email = "ida@example.com";
    await browser.submitForm(await browser.get(form), { email });
    const [invite] = await invitesOf(owner);
    const address = `/settings/members/invitations/${invite?.id ?? ""}/resend`;
    const question = await browser.get(address);
    await db.query("UPDATE invites SET replaced_at = now() WHERE id = $1", [invite?.id]);

    const answer = await browser.submitForm(question, {});

    expect(answer.body).toContain(
      "A newer invitation for ida@example.com replaced this one. Resend that one instead.",
    );
  });

  test("withdrawing requires confirmation, and repeating it changes nothing", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    await browser.submitForm(await browser.get(form), { email: "eva@example.com" });
    const [invite] = await invitesOf(owner);
    const address = `/settings/members/invitations/${invite?.id ?? ""}`;

    const question = await browser.get(`${address}/withdraw`);
    expect((await invitesOf(owner))[0]?.ended).toBe(false);
    await browser.submitForm(question, {});
    const second = await browser.submitForm(question, {});

    expect(second.statusCode).toBe(303);
    expect((await invitesOf(owner))[0]?.ended).toBe(true);
    expect((await browser.get(`${address}/resend`)).body).toContain("was already withdrawn");
    const list = await browser.get("/settings/members/invitations?status=revoked");
    expect(list.body).toContain("Withdrawn.");
    expect(list.body).not.toContain(`${address}/resend`);
  });

  test("workspace admins invite only into their workspace, as members of the organization", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const { organization } = owner;
    const boss = await aMember(db, {
      organization,
      role: "member",
      workspace: "Lab",
      workspaceRole: "admin",
    });
    const other = await aMember(db, { organization, role: "member", workspace: "Yard" });
    const browser = await signIn(app, boss);
    const page = await browser.get(form);
    const send = (fields: Record<string, string>) =>
      browser.submitForm(page, { email: "new@example.com", ...fields });

    expect(page.body).not.toContain("organization_role");
    expect(page.body).not.toContain(">Yard</option>");
    expect(
      (await send({ organization_role: "admin", workspace_id: owner.workspaceId ?? "" }))
        .statusCode,
    ).toBe(403);
    expect((await send({ workspace_id: other.workspaceId ?? "" })).statusCode).toBe(400);
    expect((await send({})).body).toContain(`id="workspace_id-error"`);
    expect((await send({ workspace_id: owner.workspaceId ?? "" })).statusCode).toBe(303);
    const list = await browser.get("/settings/members");
    expect(list.body).toContain("new@example.com");
    expect(list.body).toContain("An organization admin can find the link");
  });

  test("members, viewers and other organizations can't see or send invitations", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const { organization } = owner;
    const browser = await signIn(app, owner);
    await browser.submitForm(await browser.get(form), { email: "eva@example.com" });
    const [invite] = await invitesOf(owner);
    const address = `/settings/members/invitations/${invite?.id ?? ""}/withdraw`;

    for (const workspaceRole of ["member", "viewer"] as const) {
      const person = await aMember(db, {
        organization,
        role: "member",
        workspace: "Lab",
        workspaceRole,
      });
      const theirs = await signIn(app, person);
      const refused = await theirs.get(form);
      expect(refused.statusCode).toBe(403);
      expect(refused.body).toContain("admin or owner is needed to view invitations");
      expect((await theirs.get("/settings/members/invitations")).statusCode).toBe(403);
      expect((await theirs.get(address)).statusCode).toBe(404);
      const _csrf = /name="_csrf" value="([^"]*)"/.exec((await theirs.get("/settings")).body)?.[1];
      const posted = await theirs.post(form, { _csrf: _csrf ?? "", email: "x@example.com" });
      expect(posted.statusCode).toBe(403);
    }
    const stranger = await signIn(app, await aMember(db));
    expect((await stranger.get(address)).statusCode).toBe(404);
    const own = await stranger.get(form);
    const _csrf = /name="_csrf" value="([^"]*)"/.exec(own.body)?.[1] ?? "";
    expect((await stranger.post(address, { _csrf })).statusCode).toBe(404);
    expect(await invitesOf(owner)).toMatchObject([{ email: "eva@example.com", ended: false }]);
  });
});

describe("inviting people in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest("invites a person, gets the link, and withdraws the invitation", async () => {
    const { db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    for (const [index, view] of views.entries()) {
      const opened = await openPage(chromium(), current(), owner, view);
      const { page } = opened;
      const email = `${"long-".repeat(11)}${index}@${"example-".repeat(6)}host.example`;
      await page.goto(form);
      await page.getByLabel("Email").fill("nobody");
      await page
        .getByLabel("Email")
        .evaluate((input) => input.closest("form")?.setAttribute("novalidate", ""));
      await page.getByRole("button", { name: "Create invitation" }).click();
      await page.getByText("must be an address like name@example.com").first().waitFor();
      await page.getByLabel("Email").fill(email);
      await page.getByRole("combobox", { name: /^Workspace(?! role)/ }).selectOption("Lab");
      await page.getByRole("button", { name: "Create invitation" }).click();
      const created = page.url();
      const link = await page.getByLabel(`Link for ${email}`).inputValue();
      expect(link).toContain(`${current().config.baseUrl}/invites/`);
      await page.goto("/settings/members");
      const withdraw = page.getByRole("link", { name: `Withdraw the invitation for ${email}` });
      const question = (await withdraw.getAttribute("href")) ?? "";
      expect(
        await sweep(opened, [
          "/settings/members",
          form,
          created,
          "/settings/members/invitations",
          "/settings/members/invitations?status=accepted",
          "/settings/mail",
          question,
          question.replace("withdraw", "resend"),
        ]),
      ).toEqual({});
      await page.goto(question);
      await page.getByRole("button", { name: "Withdraw invitation" }).click();
      await page.getByRole("status").getByText("Withdrawn").waitFor();
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });
});
