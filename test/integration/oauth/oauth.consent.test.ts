import type { LightMyRequestResponse } from "fastify";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { setPassword } from "../../../server/src/domain/accounts/accounts.js";
import { useApp } from "../../support/app.js";
import { findForms, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { countWaiting } from "../../support/database.js";
import {
  aChallenge,
  aClient,
  approve,
  callback,
  connect,
  exchange,
  openConsent,
  returnOf,
  signIn,
  checkedScopes,
  type TestClient,
  type Tokens,
} from "../../support/oauth.js";

const consentAction = (page: LightMyRequestResponse) =>
  findForms(page.body).find(({ action }) => action?.startsWith("/oauth/consent/"))?.action ?? "";

describe("consent form", () => {
  const current = useApp();
  let member: Member;
  let client: TestClient;
  let browser: TestBrowser;
  const challenge = aChallenge();

  beforeAll(async () => {
    const { app, db } = current();
    member = await aMember(db);
    browser = await signIn(app, member);
    client = await aClient(app);
  });

  const open = (changes: Record<string, string | undefined> = {}, of = client) =>
    openConsent(browser, of, challenge, changes);

  async function countCodes(): Promise<number> {
    const rows = await current().db.query(
      "SELECT 1 FROM oauth_authorization_codes WHERE code_challenge = $1",
      [challenge.challenge],
    );
    return rows.length;
  }

  async function expectDeadEnd(answer: LightMyRequestResponse) {
    expect(answer.statusCode).toBe(400);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.body).toContain("This app can't connect");
  }

  test("CON-06: without the right hidden token it gets 403 and stores nothing", async () => {
    const page = await open();
    const other = await signIn(current().app, member);
    const foreign = findForms((await openConsent(other, client, challenge)).body)[0]?.hidden[
      "_csrf"
    ];
    const before = await countCodes();

    for (const token of ["", "wrong", foreign ?? ""]) {
      const answer = await browser.submitForm(page, {
        _csrf: token,
        scope: "mcp_read",
        decision: "allow",
      });
      expect(answer.statusCode).toBe(403);
    }

    expect(await countCodes()).toBe(before);
  });

  test.each([
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ])("CON-07: a submission with %j gets 403", async (headers) => {
    const page = await open();

    const answer = await browser.submitForm(
      page,
      { scope: "mcp_read", decision: "allow" },
      { headers },
    );

    expect(answer.statusCode).toBe(403);
  });

  test("CON-08: can't be opened or answered by another person or in another browser", async () => {
    const { app, db } = current();
    const page = await open();
    const before = await countCodes();

    for (const visitor of [await signIn(app, await aMember(db)), await signIn(app, member)]) {
      const own = await openConsent(visitor, client, challenge);
      await expectDeadEnd(await visitor.get(consentAction(page)));
      await expectDeadEnd(
        await visitor.post(consentAction(page), {
          ...findForms(own.body)[0]?.hidden,
          scope: "mcp_read",
          decision: "allow",
        }),
      );
    }

    expect(await countCodes()).toBe(before);
  });

  test("CON-09: can be used only once, even with a double click", async () => {
    const page = await open();
    const before = await countCodes();
    const submit = () => browser.submitForm(page, { scope: "mcp_read", decision: "allow" });

    const answers = await Promise.all([submit(), submit()]);
    const later = await submit();

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 400]);
    await expectDeadEnd(later);
    await expectDeadEnd(await browser.get(consentAction(page)));
    expect(await countCodes()).toBe(before + 1);
  });

  test("CON-10: expires after ten minutes", async () => {
    const page = await open();
    await current().db.query(
      "UPDATE oauth_authorization_requests SET created_at = created_at - interval '10 minutes'",
    );

    await expectDeadEnd(await browser.submitForm(page, { scope: "mcp_read", decision: "allow" }));
  });

  test("CON-11: approves nothing after signing out or switching accounts", async () => {
    const { app, db } = current();
    const visitor = await signIn(app, await aMember(db));
    const page = await openConsent(visitor, client, challenge);
    const home = await visitor.get("/settings/apps");
    await visitor.submitForm(home, {}, { action: "/signout" });

    const signedOut = await visitor.submitForm(page, { scope: "mcp_read", decision: "allow" });

    expect([400, 403]).toContain(signedOut.statusCode);
    expect(signedOut.headers.location).toBeUndefined();
  });

  test.runIf(inject("databaseUrl") !== null).each(["allow", "deny"])(
    "CON-25: %s has no effect if the session ends at the same moment",
    async (decision) => {
      const { app, db } = current();
      const person = await aMember(db);
      const visitor = await signIn(app, person);
      const asked = aChallenge();
      const page = await openConsent(visitor, client, asked);
      let answering: Promise<LightMyRequestResponse> | undefined;

      await db.transaction(async (tx) => {
        await setPassword(tx, person.userId, "another password of theirs");
        answering = visitor.submitForm(page, { scope: "mcp_read", decision });
        await vi.waitFor(async () => {
          expect(await countWaiting(db)).toBe(1);
        }, 60_000);
      });

      const answer = await answering;
      expect(answer?.statusCode).toBe(400);
      expect(answer?.headers.location).toBeUndefined();
      const codes = await db.query(
        "SELECT 1 FROM oauth_authorization_codes WHERE code_challenge = $1",
        [asked.challenge],
      );
      expect(codes).toEqual([]);
    },
  );

  test.each([
    ["nothing is selected", {}, "scope"],
    ["an unknown scope", { scope: ["mcp_read", "admin"] }, "scope"],
    ["no acknowledgement", { scope: ["mcp_write", "mcp_destructive"] }, "acknowledge_destructive"],
    [
      "an empty acknowledgement",
      { scope: ["mcp_destructive"], acknowledge_destructive: "" },
      "acknowledge_destructive",
    ],
    ["acknowledgement alone", { acknowledge_destructive: "yes" }, "scope"],
    ["a foreign organization", { scope: "mcp_read", organization_id: "org_0" }, "organization_id"],
  ])(
    "CON-12..14: %s gets 400 on the same page, and can be submitted again",
    async (_name, fields, field) => {
      const page = await open({ scope: "mcp_write" });
      const before = await countCodes();

      const refused = await browser.submitForm(page, { decision: "allow", ...fields });

      expect(refused.statusCode).toBe(400);
      expect(refused.body).toContain(`id="${field}-error"`);
      const given = "scope" in fields ? [fields.scope].flat() : [];
      const known = given.filter((scope) => scope.startsWith("mcp_"));
      expect(checkedScopes(refused).filter((value) => value !== "yes")).toEqual(known);
      expect(await countCodes()).toBe(before);
      const again = await browser.submitForm(refused, {
        decision: "allow",
        scope: "mcp_read",
        organization_id: member.organizationId,
      });
      expect(again.statusCode).toBe(303);
    },
  );

  test("CON-13: with the acknowledgement the token includes permanent deletion", async () => {
    const approved = await approve(browser, client, {
      scope: ["mcp_destructive", "mcp_read"],
      acknowledge_destructive: "on",
    });

    const tokens = (await exchange(current().app, approved)).json<Tokens>();

    expect(tokens.scope).toBe("mcp_read mcp_destructive");
  });

  test("CON-14: requires one of several organizations, with a current membership", async () => {
    const { app, db } = current();
    const person = await aMember(db);
    const second = await aMember(db, { email: person.email, organization: "Second place" });
    const stranger = await aMember(db);
    const visitor = await signIn(app, person);
    const page = await openConsent(visitor, client, aChallenge());
    const submit = (organization_id: string) =>
      visitor.submitForm(page, { scope: "mcp_read", decision: "allow", organization_id });

    expect(page.body).toContain('<label for="organization_id">Organization</label>');
    expect(page.body).not.toContain(stranger.organization);
    expect((await submit("")).statusCode).toBe(400);
    expect((await submit(stranger.organizationId)).statusCode).toBe(400);
    await db.query(
      "UPDATE organization_members SET removed_at = now() WHERE user_id = $1 AND organization_id = $2",
      [person.userId, person.organizationId],
    );
    expect((await submit(person.organizationId)).statusCode).toBe(400);
    expect((await submit(second.organizationId)).statusCode).toBe(303);
  });

  test("CON-15: a plain member may grant permanent deletion; the role is checked on use", async () => {
    const { app, db } = current();
    const plain = await aMember(db, { organization: member.organization, role: "member" });

    const { tokens } = await connect(app, plain, {
      scope: ["mcp_read", "mcp_write", "mcp_destructive"],
      acknowledge_destructive: "yes",
    });

    expect(tokens.scope).toBe("mcp_read mcp_write mcp_destructive");
  });

  test("CON-16: Deny notifies the app and stores nothing", async () => {
    const page = await open({ state: "s 1" });
    const before = await countCodes();

    const answer = await browser.submitForm(page, { decision: "deny" });

    const { base, values } = returnOf(answer);
    expect(answer.statusCode).toBe(303);
    expect(base).toBe(callback);
    expect(Object.fromEntries(values)).toMatchObject({
      error: "access_denied",
      state: "s 1",
      iss: current().config.baseUrl,
    });
    expect(await countCodes()).toBe(before);
  });

  test("CON-20: extra form fields can't change the request", async () => {
    const page = await open();

    const answer = await browser.submitForm(page, {
      scope: "mcp_read",
      decision: "allow",
      client_id: "fettle-bridge",
      redirect_uri: "https://evil.example/",
      code_challenge: "a".repeat(43),
      resource: "https://evil.example/mcp",
      state: "changed",
    });

    const { base, values } = returnOf(answer);
    expect([base, values.get("state")]).toEqual([callback, "state-1"]);
    const code = values.get("code") ?? "";
    const tokens = await exchange(current().app, { ...challenge, code, client });
    expect(tokens.statusCode).toBe(200);
  });

  test("CON-21: a link can't approve anything", async () => {
    const page = await open();
    const before = await countCodes();

    const answer = await browser.get(`${consentAction(page)}?decision=allow&scope=mcp_read`);

    expect(answer.statusCode).toBe(200);
    expect(await countCodes()).toBe(before);
  });

  test("CON-23: logs the person, app and scopes in the organization's activity log", async () => {
    const { app, db } = current();
    const person = await aMember(db);
    const visitor = await signIn(app, person);
    await approve(visitor, client, { scope: ["mcp_read", "mcp_write"] });

    const rows: unknown = await db.query(
      `SELECT organization_id, actor_name, details, ip_address, user_agent FROM activity_log
       WHERE user_id = $1 AND type = 'app_connected'`,
      [person.userId],
    );

    expect(rows).toEqual([
      {
        organization_id: person.organizationId,
        actor_name: person.name,
        details: {
          client_id: client.id,
          client_name: "Test app",
          returns_to: "client.example",
          scopes: ["mcp_read", "mcp_write"],
        },
        ip_address: "127.0.0.1",
        user_agent: "lightMyRequest",
      },
    ]);
  });

  test("switching accounts signs out and repeats the request", async () => {
    const { app, db } = current();
    const other = await aMember(db);
    const visitor = await signIn(app, member);
    const page = await openConsent(visitor, client, challenge, {
      state: "kept",
      scope: "mcp_write",
    });

    const answer = await visitor.submitForm(page, { decision: "switch" });
    const signInPage = await visitor.get(
      String((await visitor.get(String(answer.headers.location))).headers.location),
    );
    let next = await visitor.submitForm(signInPage, {
      email: other.email,
      password: other.password,
    });
    while (next.headers.location?.startsWith("/") === true) {
      next = await visitor.get(next.headers.location);
    }

    expect(next.body).toContain(other.email);
    expect(checkedScopes(next)).toEqual(["mcp_read", "mcp_write"]);
    const allowed = await visitor.submitForm(next, { scope: "mcp_read", decision: "allow" });
    expect(returnOf(allowed).values.get("state")).toBe("kept");
  });
});
