// @module-tag embedded

import { hash } from "@node-rs/argon2";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  activateAccount,
  createAccount,
  deactivateAccount,
  findPersonByEmail,
  listAccounts,
  setPassword,
  verifyPasswordOf,
} from "../../../server/src/domain/accounts/accounts.js";
import {
  lineOf,
  passwordTurns,
  verifyPassword,
} from "../../../server/src/domain/accounts/passwords.js";
import { addAccount } from "../../../server/src/domain/people/memberships.js";
import {
  createOrganization,
  findOrganizationsOf,
} from "../../../server/src/domain/organizations/organizations.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { linkTo } from "../../support/mails.js";
import { callWith, connect, refresh, signIn } from "../../support/oauth.js";
import { throwWorded } from "../../support/refusals.js";

const password = "correct horse battery";

describe("accounts", () => {
  const current = useApp();

  test("an email belongs to one account in any case, even with concurrent creation", async () => {
    const { db } = current();
    const create = (email: string) =>
      db.transaction((tx) => createAccount(tx, { email, name: "Rosa", password }));

    const results = await Promise.allSettled([
      create("twin@example.com"),
      create("TWIN@example.com"),
    ]);

    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find(({ status }) => status === "rejected");
    expect(refused).toMatchObject({ reason: { code: "duplicate", field: "email" } });
    expect(await findPersonByEmail(db, " Twin@Example.com ")).toMatchObject({
      name: "Rosa",
    });
  });

  test.each([
    ["email", { email: "not an address" }, /^Validation failed: email must be an address like/],
    ["email", { email: "a@b\u202Ec.example" }, /invisible characters/],
    ["name", { name: "  " }, /^Validation failed: name must not be empty\.$/],
    ["name", { name: "x".repeat(121) }, /^Validation failed: name must have at most 120/],
    ["name", { name: "Ro\u200Bsa" }, /invisible characters/],
    ["name", { name: "Ro\nsa" }, /one line/],
    ["password", { password: "too short" }, /at least 10 characters/],
    ["password", { password: "aaaaaaaaaaaa" }, /different characters/],
    ["password", { password: "ä".repeat(400) + "bcdef".repeat(60) }, /at most 1024 bytes/],
  ])("rejects a wrong %s with an actionable message: %j", async (field, change, message) => {
    const { db } = current();
    const fields = { email: "new@example.com", name: "Rosa", password, ...change };

    const attempt = db.transaction((tx) => createAccount(tx, fields));

    await expect(attempt).rejects.toMatchObject({ field, code: "validation_failed" });
    await expect(attempt.catch(throwWorded)).rejects.toThrow(message);
  });

  test("LOG-08 stores passwords as argon2id, and rehashes an older hash at sign-in", async () => {
    const { db } = current();
    const { userId, email } = await aMember(db);
    const readHash = async () => {
      const rows = await db.query<{ hash: string }>(
        "SELECT password_hash AS hash FROM user_passwords WHERE user_id = $1",
        [userId],
      );
      return rows[0]?.hash;
    };
    expect(await readHash()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const weak = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await db.query("UPDATE user_passwords SET password_hash = $2 WHERE user_id = $1", [
      userId,
      weak,
    ]);

    expect(await verifyPasswordOf(db, { email, password: "wrong" })).toBeUndefined();
    expect(await readHash()).toBe(weak);
    expect(await verifyPasswordOf(db, { email, password })).toMatchObject({ id: userId });

    expect(await readHash()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPasswordOf(db, { email, password })).toMatchObject({ id: userId });
  });

  test("LOG-01 a new password ends every browser session, but no connection", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { browser, tokens, client } = await connect(app, member);

    await db.transaction((tx) => setPassword(tx, member.userId, "a different passphrase"));

    expect((await browser.get("/")).headers.location).toBe("/signin");
    expect(await callWith(app, tokens.access_token)).not.toBe(401);
    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(200);
    await signIn(app, { ...member, password: "a different passphrase" });
  });

  test("a deactivated account loses sessions and tokens immediately, and regains connections when reactivated", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { browser, tokens } = await connect(app, member);

    await db.transaction((tx) => deactivateAccount(tx, member.userId));

    expect((await browser.get("/")).headers.location).toBe("/signin");
    expect(await callWith(app, tokens.access_token)).toBe(401);
    expect(await verifyPasswordOf(db, { email: member.email, password })).toBeUndefined();
    await db.transaction((tx) => activateAccount(tx, member.userId));
    expect(await callWith(app, tokens.access_token)).not.toBe(401);
    expect((await browser.get("/")).headers.location).toBe("/signin");
    await signIn(app, member);
  });
});

describe("admin command for accounts", () => {
  const current = useApp();

  test("creates missing records and keeps existing ones", async () => {
    const { db } = current();
    const first = await db.transaction((tx) =>
      addAccount(tx, {
        email: "a@example.com",
        name: "Ada",
        organization: "Northgate",
        workspace: "Hall 1",
        workspaceRole: "admin",
        password,
      }),
    );

    const again = await db.transaction((tx) =>
      addAccount(tx, {
        email: "A@example.com",
        name: "Other",
        organization: "northgate",
        role: "member",
        workspace: "hall 1",
        password: "",
      }),
    );
    const second = await aMember(db, { organization: "Northgate" });

    expect(again).toEqual(first);
    expect(second.organizationId).toBe(first.organizationId);
    expect(await findPersonByEmail(db, "a@example.com")).toMatchObject({ name: "Ada" });
    const roles = await Promise.all(
      [first.userId, second.userId].map((id) => findOrganizationsOf(db, id)),
    );
    expect(roles.map(([organization]) => organization?.role)).toEqual(["owner", "member"]);
    const list = await listAccounts(db);
    expect(list[0]).toMatchObject({
      user_id: first.userId,
      email: "a@example.com",
      active: true,
      organizations: [{ name: "Northgate", role: "owner" }],
      last_login_at: null,
    });
  });

  test("concurrent commands create one organization", async () => {
    const { db } = current();

    const added = await Promise.all(
      [1, 2, 3].map((n) => aMember(db, { organization: "At once", email: `at-${n}@example.com` })),
    );

    expect(new Set(added.map(({ organizationId }) => organizationId)).size).toBe(1);
    const owners = await db.query(
      "SELECT 1 FROM organization_members WHERE organization_id = $1 AND role = 'owner'",
      [added[0]?.organizationId],
    );
    expect(owners).toHaveLength(1);
  });

  test("a removed member who is added again gets the new role", async () => {
    const { db } = current();
    const member = await aMember(db, { organization: "Come back", role: "owner" });
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      member.userId,
    ]);

    await aMember(db, { organization: "Come back", email: member.email, role: "admin" });

    expect(await findOrganizationsOf(db, member.userId)).toMatchObject([{ role: "admin" }]);
  });
});

describe("organizations", () => {
  const current = useApp();

  test("slugs are derived from the name and never clash", async () => {
    const { db } = current();
    const names = ["Café & Werkstatt", "Café & Werkstatt", "東京", "A", "x".repeat(120)];

    const made = await db.transaction(async (tx) => {
      const organizations = [];
      for (const name of names) organizations.push(await createOrganization(tx, { name }));
      return organizations;
    });

    expect(made[0]?.slug).toBe("cafe-werkstatt");
    expect(made[1]?.slug).toMatch(/^cafe-werkstatt-[0-9a-z]{6}$/);
    for (const { slug } of made) expect(slug).toMatch(/^[a-z0-9-]{2,40}$/);
  });

  test.each([
    [{ timeZone: "Mars/Olympus" }, /time zone/],
    [{ timeZone: "+01:00" }, /time zone/],
    [{ currency: "euro" }, /currency/],
    [{ inventoryPrefix: "a-1" }, /inventory prefix/],
    [{ name: "" }, /organization name must not be empty/],
  ])("rejects %j", async (change, message) => {
    const { db } = current();

    const attempt = db.transaction((tx) =>
      createOrganization(tx, { name: "Northgate", ...change }),
    );

    await expect(attempt.catch(throwWorded)).rejects.toThrow(message);
  });
});

describe("password hashing", () => {
  const current = useApp({
    signup: "open",
    smtpUrl: "smtp://127.0.0.1:1",
    mailFrom: "a@b.example",
  });

  /** Occupies both password turns until the returned function is called. */
  function holdTurns(): () => void {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((done) => (open = done));
    const turns = ["one", "other"].map((line) => passwordTurns(line, () => gate));
    onTestFinished(async () => {
      open();
      await Promise.all(turns);
    });
    return open;
  }

  const check = (ipAddress: string) =>
    verifyPassword(undefined, password, lineOf({ ipAddress }, ""));

  test("LIM-82 two checks run concurrently, one per network", async () => {
    const open = holdTurns();
    let ended = 0;
    const all = ["198.51.100.1", "198.51.100.2"].map((address) =>
      check(address).finally(() => (ended += 1)),
    );
    await new Promise((done) => setTimeout(done, 300));
    expect(ended).toBe(0);

    open();
    expect(await Promise.all(all)).toEqual([false, false]);

    const lines = ["2001:db8:0:ab00::1", "2001:db8:0:ab02::1", "198.51.100.1"];
    expect(new Set(lines.map((ipAddress) => lineOf({ ipAddress }, "")))).toHaveProperty("size", 2);
    expect(lineOf(undefined, "dan@example.com")).toBe("dan@example.com");
  });

  test("LIM-82 rejects a check that would wait too long, with a hint to retry", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const open = holdTurns();
    onTestFinished(() => {
      open();
      vi.useRealTimers();
    });

    const refused = expect(check("198.51.100.1").catch(throwWorded)).rejects.toThrow(
      "Too many passwords are being checked",
    );
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
  });

  const email = "rosa@example.com";
  const signUp = { email, name: "Rosa", organization: "Northgate", password };

  test.each([
    ["signs up", "/signup", signUp, undefined],
    ["confirms an address", "sign_up", { password }, "/signup"],
    ["chooses another with a link", "password_reset", { password }, "/password/forgot"],
    ["changes it", "/settings/password", { current_password: password, password }, undefined],
  ] as const)(
    "a person who %s holds no transaction during hashing",
    async (_, to, fields, askAt) => {
      const { app, db } = current();
      const member = await aMember(db);
      const asker = createBrowser(app);
      const address = askAt === "/signup" ? "ines@example.com" : member.email;
      if (askAt !== undefined)
        await asker.submitForm(await asker.get(askAt), { ...signUp, email: address });
      const path = to.startsWith("/") ? to : await linkTo(current(), address, to as "sign_up");
      const browser = to.startsWith("/settings") ? await signIn(app, member) : createBrowser(app);
      const page = await browser.get(path);
      const open = holdTurns();
      let isAnswered = false;

      const answer = browser.submitForm(page, fields).finally(() => (isAnswered = true));
      await new Promise((done) => setTimeout(done, 500));
      expect(isAnswered).toBe(false);

      const held =
        await db.query(`SELECT query FROM pg_stat_activity WHERE datname = current_database()
         AND state LIKE 'idle in transaction%' AND pid <> pg_backend_pid()`);
      open();
      await answer;
      expect(held).toEqual([]);
    },
  );
});
