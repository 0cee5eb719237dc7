import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { connect as connectTools } from "../../support/mcp.js";
import { callWith, connect, signIn } from "../../support/oauth.js";

describe("Your account", () => {
  const current = useApp();

  test("changes the name, logs the earlier one, and shows the new one immediately", async () => {
    const { app, db } = current();
    const member = await aMember(db, { name: "Dara Novak" });
    const browser = await signIn(app, member);

    const answer = await browser.submitForm(await browser.get("/settings"), {
      name: "  Dara Novák ",
    });

    expect(answer.statusCode).toBe(303);
    const page = await browser.get("/settings");
    expect(page.body).toContain("Account saved.");
    expect(page.body).toContain('value="Dara Novák"');
    expect(
      await db.query("SELECT actor_name, details FROM activity_log WHERE type = 'name_changed'"),
    ).toEqual([{ actor_name: "Dara Novák", details: { former_name: "Dara Novak" } }]);
  });

  test("rejects a missing or long name at its field, and keeps the input", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    const page = await browser.get("/settings");

    const empty = await browser.submitForm(page, { name: "   " });
    const long = await browser.submitForm(page, { name: "n".repeat(121) });

    expect(empty.statusCode).toBe(400);
    expect(empty.body).toContain('<a href="#name">Enter your name.</a>');
    expect(long.statusCode).toBe(400);
    expect(long.body).toContain("at most 120 characters");
    expect(long.body).toContain("n".repeat(121));
  });

  test("shows colleagues and assistants the job title, and finds people by it", async () => {
    const owner = await connectTools(current());
    const browser = await signIn(current().app, owner.member);
    const fill = async (job_title: string) =>
      browser.submitForm(await browser.get("/settings"), { name: "Dara", job_title });
    const find = (query: string) => owner.ok<{ users: object[] }>("list_users", { query });

    expect((await fill("t".repeat(81))).body).toContain("at most 80 characters");
    expect((await fill("Lift engineer")).statusCode).toBe(303);

    expect((await browser.get("/settings")).body).toContain('value="Lift engineer"');
    expect((await browser.get("/settings/members?q=lift")).body).toContain("Lift engineer");
    expect((await browser.get(`/settings/members/${owner.member.userId}`)).body).toContain(
      "Lift engineer",
    );
    expect((await find("engineer")).users).toMatchObject([{ job_title: "Lift engineer" }]);
    await fill("");
    expect((await find("engineer")).users).toEqual([]);
  });

  test("escapes markup in a name on the settings pages", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db, { role: "owner" }));
    const name = "<script>alert(1)</script>";

    await browser.submitForm(await browser.get("/settings"), { name });

    for (const path of ["/settings", "/settings/sessions", "/settings/apps"]) {
      const page = await browser.get(path);
      expect(page.body, path).not.toContain("<script>");
      expect(page.body, path).toContain("&lt;script>");
    }
  });

  test("a person without an organization sees personal pages, but nothing of an organization", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      member.userId,
    ]);

    for (const path of [
      "/settings",
      "/settings/password",
      "/settings/sessions",
      "/settings/apps",
      "/settings/activity",
    ]) {
      const page = await browser.get(path);
      expect(page.statusCode, path).toBe(200);
      expect(page.body, path).not.toContain(member.organization);
      expect(page.body, path).not.toContain("/settings/members");
    }
  });

  test("a stale form does not undo another browser's change, without an organization either", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const [one, other] = [await signIn(app, member), await signIn(app, member)];
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      member.userId,
    ]);
    const stale = await other.get("/settings");
    const time_zone = "organization";
    const changed = { name: "Married Name", language: "en", time_zone };
    const [first, again] = [
      await one.submitForm(await one.get("/settings"), changed),
      await other.submitForm(stale, changed),
    ];
    expect([first.statusCode, again.statusCode]).toEqual([303, 303]);

    const refused = await other.submitForm(stale, { ...changed, name: member.name });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("after you opened this form");
    expect((await one.get("/settings")).body).toContain('value="Married Name"');
    expect((await other.submitForm(refused, { ...changed, name: "Third" })).statusCode).toBe(303);
  });

  test("the organization's email section is for its admins only", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { role: "owner" });
    const member = await aMember(db, { organization: owner.organization, role: "member" });

    const forOwner = await (await signIn(app, owner)).get("/settings");
    const forMember = await (await signIn(app, member)).get("/settings");

    expect(forOwner.body).toContain('href="/settings/mail"');
    expect(forMember.body).not.toContain('href="/settings/mail"');
    expect(forMember.body).toContain('href="/settings/members"');
  });
});

describe("Changing the password", () => {
  const current = useApp();
  const password = "four unrelated words";

  test("ends every other session, keeps this one under a new id, and leaves apps connected", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { browser, tokens } = await connect(app, member);
    const [second, third] = [await signIn(app, member), await signIn(app, member)];
    const before = new Map(browser.cookies);

    const answer = await browser.submitForm(await browser.get("/settings/password"), {
      current_password: member.password,
      password,
    });

    expect(answer.statusCode).toBe(303);
    expect((await browser.get("/settings")).body).toContain("signed out of 2 other browsers.");
    expect([...browser.cookies.values()]).not.toEqual([...before.values()]);
    for (const other of [second, third]) {
      expect((await other.get("/settings")).headers.location).toMatch(/^\/signin/);
    }
    const stolen = createBrowser(app);
    for (const [name, value] of before) stolen.cookies.set(name, value);
    expect((await stolen.get("/settings")).headers.location).toMatch(/^\/signin/);
    expect(await callWith(app, tokens.access_token)).toBe(200);
    await expect(signIn(app, member)).rejects.toThrow("Sign-in failed");
    await signIn(app, { ...member, password });
    expect(
      await db.query(
        "SELECT details, ip_address FROM activity_log WHERE type = 'password_changed' AND user_id = $1",
        [member.userId],
      ),
    ).toEqual([{ details: { sessions_ended: 2 }, ip_address: "127.0.0.1" }]);
  });

  test("a wrong current password, a weak one and an unchanged one change nothing", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const [browser, other] = [await signIn(app, member), await signIn(app, member)];
    const page = await browser.get("/settings/password");
    const right = member.password;
    const refused = [
      [{ current_password: "wrong", password }, "#current_password", "is wrong"],
      [{ current_password: right, password: "short" }, "#password", "at least 10 characters"],
      [{ current_password: right, password: right }, "#password", "is already your password"],
      [{ current_password: "", password: "" }, "#password", "Enter the new password."],
    ] as const;

    for (const [fields, field, words] of refused) {
      const answer = await browser.submitForm(page, fields);
      expect(answer.statusCode, words).toBe(400);
      expect(answer.body, words).toContain(`href="${field}"`);
      expect(answer.body, words).toContain(words);
      expect(answer.body, words).not.toContain(`value="${right}"`);
    }

    expect((await other.get("/settings")).statusCode).toBe(200);
    await signIn(app, member);
  });
});

describe("Guessing the current password", () => {
  const current = useApp({ rateLimit: true });

  test("is rate limited like sign-in, and the pause applies to sign-in too", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    const page = await browser.get("/settings/password");
    const guess = { current_password: "a wrong guess", password: "four unrelated words" };

    const answers = [];
    for (let tries = 0; tries < 7; tries += 1) {
      answers.push((await browser.submitForm(page, guess)).statusCode);
    }

    expect(answers[0]).toBe(400);
    expect(answers.at(-1)).toBe(429);
    const right = await browser.submitForm(page, { ...guess, current_password: member.password });
    expect(right.statusCode).toBe(429);
    expect(Number(right.headers["retry-after"])).toBeGreaterThan(0);
    expect(right.body).toContain("Wait");
    await expect(signIn(app, member)).rejects.toThrow("429");
  });
});
