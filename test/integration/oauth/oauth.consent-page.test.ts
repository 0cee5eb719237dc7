import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { attributeOf, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import {
  aChallenge,
  aClient,
  approve,
  openConsent,
  signIn,
  checkedScopes,
  type TestClient,
} from "../../support/oauth.js";

describe("consent page", () => {
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

  test("CON-01: is shown again for a previously approved app", async () => {
    await approve(browser, client);

    const page = await open();

    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("wants to connect");
  });

  test("CON-02: shows app, redirect host, account, organization, permissions and where to disconnect", async () => {
    const page = await open();

    for (const text of [
      "Test app",
      "Unverified",
      "returns to <strong>client.example</strong>",
      member.email,
      member.name,
      member.organization,
      "manage workspaces, invitations and members, within your own permissions",
      "Delete assets permanently. No one can restore them.",
      "I understand that permanently deleted assets cannot be recovered",
      "at any time under Settings > Connected Apps",
      "Use another account",
    ]) {
      expect(page.body).toContain(text);
    }
  });

  test("CON-02, CON-03: shows the redirect target for loopback and custom schemes", async () => {
    const loopback = await aClient(current().app, { redirect_uris: ["http://127.0.0.1/cb"] });
    const own = await aClient(current().app, { redirect_uris: ["cursor://some.app/cb"] });

    const onComputer = await open({ redirect_uri: "http://127.0.0.1:4321/cb" }, loopback);
    const onDevice = await open({}, own);

    expect(onComputer.body).toContain("<strong>127.0.0.1:4321</strong>");
    expect(onComputer.body).toContain("Continue only if you just started this yourself");
    expect(onDevice.body).toContain("<strong>cursor:</strong>");
    expect((await open()).body).not.toContain("an app on this computer");
  });

  test("merges its doubts about a look-alike on the person's computer into one warning", async () => {
    const redirect_uris = ["http://127.0.0.1/cb"];
    const page = await open(
      {},
      await aClient(current().app, { client_name: "Claude", redirect_uris }),
    );

    expect(page.body.match(/class="notice/g)).toHaveLength(1);
    expect(page.body).toContain(
      "<p>Apps choose their own names.</p><p>The name resembles Claude. Continue only if you just started this yourself.</p></div>",
    );
  });

  test("presets 90 days for an app that registered itself, not for the bridge", async () => {
    const bridge = {
      id: "fettle-bridge",
      secret: undefined,
      redirectUri: "http://127.0.0.1:4321/callback",
    };
    const never = "<option value>Never</option>";

    const unverified = (await open()).body;
    const ours = (await open({}, bridge)).body;

    expect(unverified).toContain(never);
    expect(unverified).toMatch(/<option[^>]*selected[^>]*>After 90 days/);
    expect(ours).not.toMatch(/<option[^>]*selected[^>]*>After/);
  });

  test.each([
    [{}, {}, ["mcp_read"]],
    [{ scope: "mcp_write" }, {}, ["mcp_read", "mcp_write"]],
    [{ scope: "mcp_read mcp_destructive" }, {}, ["mcp_read"]],
    [{ scope: "mcp_destructive mcp_write" }, {}, ["mcp_read", "mcp_write"]],
    [{ scope: "claudeai" }, {}, ["mcp_read"]],
    [{}, { scope: "mcp_write mcp_destructive" }, ["mcp_read", "mcp_write"]],
    [{ scope: "mcp_read" }, { scope: "mcp_write" }, ["mcp_read"]],
  ])(
    "CON-13: requested %j, registered %j: %j start selected",
    async (asked, registered, checked) => {
      const of = await aClient(current().app, registered);

      const page = await open(asked, of);

      expect(checkedScopes(page)).toEqual(checked);
      for (const scope of ["mcp_read", "mcp_write", "mcp_destructive"]) {
        expect(page.body).toContain(`value="${scope}"`);
      }
    },
  );

  test.each(['"><script>alert(1)</script>', "<img src=x onerror=alert(1)>", "evil\u202Egnp"])(
    "CON-05: renders the name %j as inert text",
    async (name) => {
      const { app, db } = current();
      const evil = await aClient(app);
      await db.query("UPDATE oauth_clients SET name = $2 WHERE id = $1", [evil.id, name]);

      const page = await open({}, evil);

      expect(page.body).not.toMatch(/<script|<img/);
      expect(page.body).toContain('<bdi class="app-name">');
    },
  );

  test.each([
    ["Fettle", "Fettle"],
    ["F\u0435ttle Assistant", "Fettle"],
    ["C1aude", "Claude"],
  ])(
    "NAM-01: warns about a name like %j next to unverified, citing the return address",
    async (name, of) => {
      const page = await open({}, await aClient(current().app, { client_name: name }));

      expect(page.body).toMatch(
        new RegExp(
          `<div class="notice warning"><p class="app-claim"><strong>Unverified</strong>.*?</p><p>Apps choose their own names\\.</p><p>The name resembles ${of}\\. Only the return address shows which app it is\\.</p></div>`,
          "s",
        ),
      );
    },
  );

  test("NAM-01: warns neither about our bridge nor about an app at its known address", async () => {
    const { app } = current();
    const known = { client_name: "Claude", redirect_uris: ["https://claude.ai/api/mcp/cb"] };
    const bridge = {
      id: "fettle-bridge",
      secret: undefined,
      redirectUri: "http://127.0.0.1:4321/callback",
    };

    for (const of of [client, await aClient(app, known), bridge]) {
      const page = await open({}, of);
      expect(page.body).toContain("wants to connect");
      expect(page.body).not.toContain("resembles");
    }
    const registered = await aClient(app, {
      client_name: "fettle-bridge",
      redirect_uris: ["http://127.0.0.1/callback"],
    });
    expect((await open({}, registered)).body).toContain("The name resembles Fettle");
  });

  test("CON-22: works without scripts, and the form's first button isn't Allow", async () => {
    const { body } = await open();
    const form = /<form class="consent".*?<\/form>/s.exec(body)?.[0] ?? "";
    const own = [...form.matchAll(/<button\b[^>]*>/g)]
      .map(([button]) => button)
      .filter((button) => attributeOf(button, "form") === undefined);

    expect(body).not.toContain("<script");
    expect(body).not.toContain("autofocus");
    expect(own.map((button) => attributeOf(button, "value"))).toEqual(["deny", "allow"]);
  });
});
