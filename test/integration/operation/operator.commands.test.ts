// @module-tag embedded

import { describe, expect, test } from "vitest";
import { version } from "../../../server/src/domain/shared/version.js";
import { useAudit } from "../../support/audit.js";
import { createBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { rewriteLog } from "../../support/database.js";
import { useMailServer } from "../../support/mail-server.js";
import { approve, callWith, connect, exchange, signIn } from "../../support/oauth.js";

describe("operator commands", () => {
  const audit = useAudit();

  /** Runs a command that must succeed and print only JSON lines. */
  async function done(args: string[], variables?: Record<string, string>) {
    const { code, lines, errors } = await audit.command(args, variables);
    expect(code, errors.join()).toBe(0);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  async function refused(args: string[], variables?: Record<string, string>): Promise<string> {
    const { code, lines, errors } = await audit.command(args, variables);
    expect([code, lines]).toEqual([1, []]);
    expect(errors).toHaveLength(1);
    return errors.join();
  }
  /** The newest entry of a type about an organization or a person's account. */
  async function logged(type: string): Promise<unknown> {
    const row = await audit.current().db.maybe<unknown>(
      `SELECT organization_id, user_id, actor_name, details FROM activity_log
       WHERE type = $1 AND sequence IS NOT NULL ORDER BY id DESC LIMIT 1`,
      [type],
    );
    return row;
  }
  const operator = "The server's administrator";

  test("the version is shown to operators and signed-in people, not to strangers", async () => {
    const { app, db } = audit.current();
    const browser = await signIn(app, await aMember(db));

    expect(await audit.command(["--version"])).toEqual({ code: 0, lines: [version], errors: [] });
    expect((await browser.get("/")).body).toContain(`>Fettle ${version}</footer>`);
    expect((await createBrowser(app).get("/signin")).body).not.toContain(version);
  });

  test("lists organizations with their contents", async () => {
    const { organization, organizationId } = await aMember(audit.current().db, {
      workspace: "Hall",
    });

    expect(await done(["organization", "list"])).toContainEqual(
      expect.objectContaining({
        organization_id: organizationId,
        name: organization,
        members: 1,
        workspaces: 1,
        assets: 0,
      }),
    );
  });

  describe("connections and sessions", () => {
    async function twoApps() {
      const { app, db } = audit.current();
      const owner = await aMember(db, { role: "owner" });
      const person = await aMember(db, { organization: owner.organization });
      const [first, second] = [
        await connect(app, person, {}, { client_name: "Helper" }),
        await connect(app, owner, {}, { client_name: "Other" }),
      ];
      return { app, owner, person, first, second };
    }

    test("lists and ends one person's connections, stops their tokens, and logs the operator", async () => {
      const { app, person, first, second } = await twoApps();
      const [line, ...others] = await done(["connection", "list", "--email", person.email]);
      expect(others).toEqual([]);
      expect(line).toMatchObject({
        organization: person.organization,
        email: person.email,
        client_name: "Helper",
        scopes: ["mcp_read"],
      });

      const id = String(line?.["connection_id"]);
      expect(await done(["connection", "revoke", "--id", id])).toMatchObject([
        { connection_id: id },
      ]);

      expect(await callWith(app, first.tokens.access_token)).toBe(401);
      expect(await callWith(app, second.tokens.access_token)).not.toBe(401);
      expect(await logged("app_disconnected")).toMatchObject({
        organization_id: person.organizationId,
        user_id: null,
        actor_name: operator,
        details: { connection_id: id, user_id: person.userId, name: person.name },
      });
      expect(await refused(["connection", "revoke", "--id", id])).toContain(
        `no live connection ${id}`,
      );
      const page = (await first.browser.get("/settings/apps")).body;
      expect(page).toContain("Helper");
    });

    test("ends all connections of an organization, and ends none without a filter", async () => {
      const { owner, first, second, app } = await twoApps();

      const { code, errors } = await audit.command(["connection", "revoke"]);
      expect(code).toBe(2);
      expect(errors.join()).toContain("Specify at least one of");
      const ended = await done(["connection", "revoke", "--organization", owner.organization]);

      expect(ended).toHaveLength(2);
      expect(await callWith(app, first.tokens.access_token)).toBe(401);
      expect(await callWith(app, second.tokens.access_token)).toBe(401);
    });

    test("RVK-13 an approval not yet redeemed can't become a connection", async () => {
      const { owner, person, first, app } = await twoApps();
      const approved = await approve(first.browser, first.client);
      const others = await approve(await signIn(app, owner), first.client);

      await done(["connection", "revoke", "--email", person.email]);

      expect((await exchange(app, approved)).json()).toMatchObject({ error: "invalid_grant" });
      expect((await exchange(app, others)).statusCode).toBe(200);
    });

    test("signs a person out everywhere and keeps apps connected", async () => {
      const { app, person, first } = await twoApps();
      const browser = await signIn(app, person);

      const ended = await done(["session", "end", "--email", person.email]);

      expect(ended).toEqual([{ email: person.email, sessions_ended: 2 }]);
      expect((await browser.get("/")).headers.location).toBe("/signin");
      expect(await callWith(app, first.tokens.access_token)).not.toBe(401);
      expect(await logged("signed_out")).toMatchObject({
        user_id: person.userId,
        details: { sessions: 2 },
      });
      const again = await signIn(app, person);
      expect((await again.get("/settings/activity")).body).toContain(
        "The server's administrator signed you out of 2 browsers",
      );
      expect(await refused(["session", "end", "--email", "no@example.com"])).toContain(
        "No account with the email no@example.com",
      );
    });
  });

  describe("roles", () => {
    const setRole = ({ organization, email }: Member, role: string) => [
      ...["member", "set-role", "--organization", organization],
      ...["--email", email, "--role", role],
    ];

    test("makes a member an owner, so the former owner can step down", async () => {
      const { db } = audit.current();
      const owner = await aMember(db, { role: "owner" });
      const member = await aMember(db, { organization: owner.organization });

      expect(await refused(setRole(owner, "admin"))).toContain("is the only owner");
      expect(await done(setRole(member, "owner"))).toMatchObject([
        { user_id: member.userId, from: "member", to: "owner" },
      ]);
      expect(await done(setRole(owner, "admin"))).toMatchObject([{ from: "owner", to: "admin" }]);

      expect(await logged("role_changed")).toEqual({
        organization_id: owner.organizationId,
        user_id: null,
        actor_name: operator,
        details: { user_id: owner.userId, name: owner.name, from: "owner", to: "admin" },
      });
    });

    test("rejects changes that affect workspace access, and people outside the organization", async () => {
      const { db } = audit.current();
      const owner = await aMember(db, { role: "owner" });
      const admin = await aMember(db, { organization: owner.organization, role: "admin" });
      const stranger = await aMember(db);

      expect(await refused(setRole(admin, "member"))).toContain("An owner chooses one");
      expect(
        await refused(setRole({ ...stranger, organization: owner.organization }, "admin")),
      ).toBe("We can't find that member, or you don't have access to them.");
      const roles: unknown = await db.query(
        `SELECT role FROM organization_members WHERE organization_id = $1 ORDER BY role`,
        [owner.organizationId],
      );
      expect(roles).toEqual([{ role: "admin" }, { role: "owner" }]);
    });
  });

  describe("emails", () => {
    const server = useMailServer();
    const variables = () => ({ SMTP_URL: server().url, MAIL_FROM: "fettle@example.com" });

    async function aMail(recipient: string, set = ""): Promise<string> {
      const { db } = audit.current();
      const row = await db.maybe<{ id: string }>(
        `INSERT INTO mail_outbox (kind, recipient, body_encrypted, status, attempts, last_error,
           next_attempt_at) VALUES ('account_exists', $1, '', 'failed', 6, 'refused', now())
         RETURNING id`,
        [recipient],
      );
      if (set !== "") await db.query(`UPDATE mail_outbox SET ${set} WHERE id = $1`, [row?.id]);
      return row?.id ?? "";
    }

    test("immediately sends failed, kept and postponed emails, but not those being sent", async () => {
      const { db } = audit.current();
      const failed = await aMail("failed@example.com");
      const kept = await aMail("kept@example.com", "status = 'kept'");
      const postponed = await aMail(
        "postponed@example.com",
        "status = 'queued', next_attempt_at = now() + interval '2 hours'",
      );
      await aMail("claimed@example.com", "status = 'queued'");
      await aMail("expired@example.com", "expires_at = now()");

      const listed = await done(["email", "list"]);
      expect(listed.map(({ recipient }) => recipient)).toEqual(
        ["failed", "kept", "postponed", "claimed"].map((name) => `${name}@example.com`),
      );
      expect(Object.keys(listed[0] ?? {})).not.toContain("body_encrypted");
      expect(await refused(["email", "retry"])).toContain("Set SMTP_URL");
      expect(await done(["email", "retry", "--id", failed], variables())).toEqual([
        { mail_ids: [failed] },
      ]);
      expect(await done(["email", "retry"], variables())).toEqual([
        { mail_ids: [kept, postponed] },
      ]);
      expect(await refused(["email", "retry", "--id", failed], variables())).toContain(
        `No email ${failed} to retry`,
      );

      const due =
        await db.query(`SELECT id FROM mail_outbox WHERE status = 'queued' AND attempts = 0
           AND next_attempt_at <= now() ORDER BY id`);
      expect(due).toEqual([failed, kept, postponed].map((id) => ({ id })));
    });

    test("check signs in to the mail server", async () => {
      const [fine, wrong] = [
        await audit.command(["check"], variables()),
        await audit.command(["check"], { ...variables(), SMTP_URL: "smtp://127.0.0.1:1" }),
      ];

      expect(fine.lines.join("\n")).toMatch(/^ok {5}mail: the mail server answers$/m);
      expect(wrong.code).toBe(1);
      expect(wrong.lines.join("\n")).toMatch(
        /^WRONG {2}mail: The mail server couldn't be reached/m,
      );
    });
  });

  test("warns when adding an existing account with an unverified address", async () => {
    const { app, db } = audit.current();
    const [owner, other] = [await aMember(db, { role: "owner" }), await aMember(db)];
    const email = "ana@elsewhere.example";
    const browser = await signIn(app, owner);
    const form = await browser.get("/settings/members/invite");
    await browser.submitForm(form, { email });
    // This server sends no email. An admin can open the link in the invited person's place.
    const [link = ""] =
      /\/invites\/[\w-]{43}/.exec((await browser.get("/settings/mail")).body) ?? [];
    const stranger = createBrowser(app);
    const account = { name: "Not Ana", password: "correct horse battery" };
    await stranger.submitForm(await stranger.get(link), account);

    const create = (address: string) => {
      const to = ["--name", "Ana", "--organization", other.organization, "--password-stdin"];
      return audit.command(["account", "create", "--email", address, ...to]);
    };
    expect((await create(email)).errors).toEqual([
      expect.stringContaining("an unconfirmed address"),
    ]);
    expect((await stranger.get("/organizations")).body).toContain(other.organization);
    await db.query("UPDATE users SET email_verified_at = now() WHERE email = $1", [email]);
    expect(await create(email)).toMatchObject({ code: 0, errors: [] });
  });

  describe("purge", () => {
    test("removes expired rows on confirmation", async () => {
      const { db } = audit.current();
      const { organizationId, userId } = await aMember(db);
      await db.query(
        `INSERT INTO tool_call_log (organization_id, user_id, client_id, tool, outcome,
           duration_ms, request_id, created_at)
         SELECT $1, $2, 'app', 'get_asset', 'ok', 1, 'req', now() - make_interval(days => d)
         FROM unnest('{1, 20}'::int[]) d`,
        [organizationId, userId],
      );
      const count = async () =>
        (await db.query("SELECT 1 FROM tool_call_log WHERE user_id = $1", [userId])).length;

      expect(await refused(["purge"])).toContain("Add --yes to confirm");
      expect(await count()).toBe(2);
      const days = { RETENTION_TOOL_CALLS_DAYS: "7" };
      expect(await done(["purge", "--yes"], days)).toMatchObject([{ retention: { toolCalls: 7 } }]);

      expect(await count()).toBe(1);
    });
  });

  describe("check", () => {
    const found = async (variables?: Record<string, string>) => {
      const { code, lines } = await audit.command(["check", "--json"], variables);
      const checks = lines.map((line) => JSON.parse(line) as { check: string; ok: boolean });
      return { code, wrong: checks.filter(({ ok }) => !ok) };
    };

    test("finds nothing when all is well, and lists its checks", async () => {
      const { code, lines } = await audit.command(["check"]);

      expect(code, lines.join("\n")).toBe(0);
      expect(lines.map((line) => /^ok {5}(\w+): ./.exec(line)?.[1])).toEqual([
        "variables",
        "keys",
        "mail",
        "limits",
        "database",
        "extensions",
        "schema",
        "audit",
      ]);
    });

    test("finds invalid variables, an unreachable Redis, and different keys", async () => {
      await aMember(audit.current().db);
      await audit.sign();

      expect(await found({ PORT: "x" })).toMatchObject({
        code: 1,
        wrong: [{ check: "variables" }],
      });
      expect(await found({ REDIS_URL: "redis://127.0.0.1:1" })).toMatchObject({
        code: 1,
        wrong: [{ check: "limits" }],
      });
      expect(await found({ SECRET_KEYS: "x".repeat(40) })).toMatchObject({
        code: 1,
        wrong: [{ check: "audit", found: expect.stringContaining("other keys") as string }],
      });
    });

    test("finds a chain with a removed end", async () => {
      const chain = await audit.aChain();
      await rewriteLog(
        audit.current().db,
        "DELETE FROM activity_log WHERE organization_id = $1 AND sequence = 5",
        [chain],
      );

      expect(await found()).toMatchObject({
        code: 1,
        wrong: [{ check: "audit", found: expect.stringContaining(chain) as string }],
      });
    });

    test("finds a schema of another version and leaves it unchanged", async () => {
      const { db } = audit.current();
      const last = await db.maybe<{ id: number }>(
        "UPDATE migrations SET name = 'Later9' WHERE id = (SELECT max(id) FROM migrations) RETURNING id",
      );

      const { wrong } = await found();

      expect(wrong).toMatchObject([
        { check: "schema", found: expect.stringContaining("Later9") as string },
      ]);
      await db.query("DELETE FROM migrations WHERE id = $1", [last?.id]);
      expect((await found()).wrong).toMatchObject([
        {
          check: "schema",
          found: expect.stringMatching(
            /^1 of the \d+ migrations are missing. Run: fettle migrate$/,
          ) as string,
        },
      ]);
    });
  });
});
