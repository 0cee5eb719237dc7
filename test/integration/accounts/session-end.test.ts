import { connect as openSocket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { renewRecoveryCodes } from "../../../server/src/domain/accounts/second-factors.js";
import { hashSecret } from "../../../server/src/domain/shared/secrets.js";
import { useServer } from "../../support/app.js";
import { type TestBrowser, toCookieHeader } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";
import { formsOf } from "../../support/page-forms.js";
import {
  aPersonWithAuthenticator,
  codeOf,
  findActivity,
  isSignedIn,
  openConfirmed,
  secretOn,
  security,
  sessionIdOf,
} from "../../support/second-factors.js";

describe("session that ends while its form is being submitted", () => {
  const current = useServer();

  /**
   * Sends a form except for its last byte. Sends that byte once the server has read the session.
   */
  async function begin(browser: TestBrowser, path: string, fields: Record<string, string>) {
    const { db, config } = current();
    const body = new URLSearchParams(fields).toString();
    const head = [
      `POST ${path} HTTP/1.1`,
      `host: ${new URL(config.baseUrl).host}`,
      `origin: ${config.baseUrl}`,
      `cookie: ${toCookieHeader(browser.cookies)}`,
      "content-type: application/x-www-form-urlencoded",
      `content-length: ${body.length}`,
      "",
    ];
    const session = [hashSecret(sessionIdOf(browser))];
    await db.query(
      "UPDATE sessions SET last_used_at = now() - interval '2 minutes' WHERE id_hash = $1",
      session,
    );
    const socket = openSocket(config.port, "localhost");
    onTestFinished(() => void socket.destroy());
    let answer = "";
    socket.on("data", (data) => (answer += data.toString()));
    socket.write([...head, body.slice(0, -1)].join("\r\n"));
    await vi.waitUntil(async () => {
      const used = await db.query(
        "SELECT FROM sessions WHERE id_hash = $1 AND last_used_at > now() - interval '1 minute'",
        session,
      );
      return used.length === 1;
    }, 60_000);
    return async () => {
      socket.write(body.slice(-1));
      await vi.waitUntil(() => answer.includes("\r\n\r\n"), 60_000);
      return answer;
    };
  }

  async function endOthers(browser: TestBrowser): Promise<void> {
    await browser.submitForm(await browser.get("/settings/sessions/others/end"), {});
  }

  test("RVK-07 adds no second factor, and does not continue under another id", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const stranger = await signIn(app, member);
    const page = await openConfirmed(stranger, `${security}/authenticator`, member);
    const form = formsOf(page).find(({ fields }) => fields["offer"] !== undefined);
    const given = { ...form?.fields, code: codeOf(secretOn(page)) };
    const end = await begin(stranger, `${security}/authenticator`, given);
    const person = await signIn(app, member);
    await endOthers(person);

    const answer = await end();

    expect(answer).toMatch(/^HTTP\/1\.1 303 [^]*\nlocation: \/signin\?next=/);
    expect((await findActivity(db, member)).at(-1)?.[0]).toBe("signed_out");
    expect(await isSignedIn(person)).toBe(true);
    const sessions = await db.query("SELECT FROM sessions WHERE user_id = $1", [member.userId]);
    expect(sessions).toHaveLength(1);
  });

  test("RVK-07 changes nothing in the organization", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const stranger = await signIn(app, member);
    const page = await stranger.get("/assets/new");
    const form = formsOf(page).find(({ seen }) => seen.includes("name"));
    const end = await begin(stranger, "/assets/new", { ...form?.fields, name: "Too late" });
    await endOthers(await signIn(app, member));

    const answer = await end();

    expect(answer).toMatch(/^HTTP\/1\.1 303 [^]*\nlocation: \/signin\?next=/);
    const assets = await db.query("SELECT FROM assets WHERE organization_id = $1", [
      member.organizationId,
    ]);
    expect(assets).toEqual([]);
  });

  test("RVK-07 changes no second factors after it has ended, at any stage", async () => {
    const { app, db } = current();
    const { member, browser } = await aPersonWithAuthenticator(current());
    const sessionId = sessionIdOf(browser);
    await db.query("DELETE FROM sessions WHERE user_id = $1", [member.userId]);
    const person = { id: member.userId, name: member.name, email: member.email };
    const owner = { person, sessionId, origin: {} };

    const renewal = db.transaction((tx) =>
      renewRecoveryCodes(tx, app.services.secondFactors, owner),
    );

    await expect(renewal).rejects.toMatchObject({ code: "forbidden" });
  });
});
