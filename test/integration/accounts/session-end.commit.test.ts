import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { beginSample } from "../../../server/src/demo/own-sample.js";
import {
  activateAccount,
  deactivateAccount,
} from "../../../server/src/domain/accounts/accounts.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { useServer } from "../../support/app.js";
import { createBrowser, press, type TestBrowser } from "../../support/browser.js";
import { aMember, toCaller } from "../../support/builders.js";
import { tokenOf } from "../../support/mails.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { formsOf } from "../../support/page-forms.js";
import { aBuilding, startRound } from "../../support/rounds.js";
import { findActivity, isSignedIn } from "../../support/second-factors.js";
import { before } from "../../support/statements.js";

// The embedded database runs one transaction at a time, so nothing can happen during one.
describe.runIf(inject("databaseUrl") !== null)(
  "session that ends while its change is committed",
  () => {
    const current = useServer();
    afterEach(() => {
      vi.restoreAllMocks();
    });

    /** Deletes a person's sessions just before the first matching statement. */
    function endBefore(statement: RegExp, userId: string, which = ""): void {
      const end = `DELETE FROM sessions WHERE user_id = $1 ${which}`;
      before(statement, 1, () => current().db.query(end, [userId]));
    }

    const countOf = async (table: string, organizationId: string) => {
      const rows = await current().db.query(`SELECT FROM ${table} WHERE organization_id = $1`, [
        organizationId,
      ]);
      return rows.length;
    };

    async function send(browser: TestBrowser, path: string, fields: Record<string, string>) {
      const [name = ""] = Object.keys(fields);
      const form = formsOf(await browser.get(path)).find(({ seen }) => seen.includes(name));
      return () => browser.post(path, { ...form?.fields, ...fields });
    }

    test.each([
      ["asset", "/assets/new", { name: "Too late" }, "assets", /INSERT INTO \W+assets\W/],
      [
        "invitation",
        "/settings/members/invite",
        { email: "late@example.com" },
        "invites",
        /INSERT/,
      ],
      [
        "workspace",
        "/settings/workspaces/new",
        { name: "Late" },
        "workspaces",
        /INSERT INTO \W+work/,
      ],
    ] as const)("RVK-10 creates no %s", async (_, path, fields, table, statement) => {
      const { app, db } = current();
      const { userId, organizationId, ...member } = await aMember(db);
      const browser = await signIn(app, { userId, organizationId, ...member });
      const change = await send(browser, path, fields);
      endBefore(statement, userId);

      const answer = await change();

      expect(answer.body).not.toContain("Something went wrong");
      expect(await countOf(table, organizationId)).toBe(0);
    });

    test.each<[string, RegExp, string]>([
      [
        "OUT-11 of scans that waited the first are told as stored, and none that came after its end",
        /INSERT INTO round_findings/,
        "DELETE FROM sessions WHERE user_id = $1",
      ],
      [
        "of scans that waited the first are told as stored when the workspace is not seen any more",
        /FROM rounds r.*FOR NO KEY UPDATE OF r/s,
        "DELETE FROM workspace_members WHERE user_id = $1",
      ],
    ])("%s", async (_, ofTheSecond, ending) => {
      const { team, pump, fan } = await aBuilding(current());
      const { organizationId, userId, workspaceId: workspace_id = "" } = team.member;
      const round = await startRound(current(), team.member, { workspace_id });
      const browser = await signIn(current().app, team.member);
      const { _csrf = "" } = formsOf(await browser.get("/rounds"))[0]?.fields ?? {};
      const scans = [pump, fan].map(({ code }) => ({ id: code, code, seconds_ago: 0 }));
      const fields = { _csrf, person: userId, scans: JSON.stringify(scans) };
      before(ofTheSecond, 2, () => current().db.query(ending, [userId]));

      const answer = await browser.post(`${round}/queue`, fields, { accept: "application/json" });

      expect(answer.json()).toMatchObject({ stored: [{ id: pump.code }], refused: [] });
      expect(await countOf("round_findings", organizationId)).toBe(1);
    });

    test("RVK-10 adds no file", async () => {
      const { app, db } = current();
      const member = await aMember(db);
      const browser = await signIn(app, member);
      const asset = await (await send(browser, "/assets/new", { name: "Pump" }))();
      const files = `${String(asset.headers.location).replace(/[?#].*/, "")}/files`;
      const page = await browser.get(files);
      endBefore(/INSERT INTO \W+files\W/, member.userId);

      await browser.sendFiles(page, files, [{ field: "file", name: "a.txt", content: "hello" }]);

      expect(await countOf("files", member.organizationId)).toBe(0);
    });

    test("RVK-10 creates no membership", async () => {
      const { app, db } = current();
      const owner = await connect(current());
      const person = await aMember(db);
      const { invite } = await owner.ok<{ invite: { id: string } }>("create_invite", {
        email: person.email,
        organization_role: "admin",
      });
      const browser = await signIn(app, person);
      const page = await browser.get(`/invites/${await tokenOf(current(), invite.id)}`);
      endBefore(/SELECT FROM sessions WHERE id_hash|FOR NO KEY UPDATE OF i/, person.userId);

      await browser.submitForm(page, {});

      const joined = await db.query(
        "SELECT FROM organization_members WHERE organization_id = $1 AND user_id = $2",
        [owner.member.organizationId, person.userId],
      );
      expect(joined).toEqual([]);
    });

    test("RVK-10 deletes no sample organization", async () => {
      const { app, db } = current();
      const person = await aMember(db);
      const made = await commit({ db, caller: null }, (tx) => beginSample(tx, toCaller(person)));
      const browser = await signIn(app, person);
      const page = await browser.get("/sample/delete");
      endBefore(/SELECT FROM sessions WHERE id_hash|UPDATE organization_members/, person.userId);

      await press(browser, page, "Delete");

      const left = await db.query("SELECT id FROM organizations WHERE id = $1 AND sample_of = $2", [
        made.id,
        person.userId,
      ]);
      expect(left).toEqual([{ id: made.id }]);
    });

    test("RVK-10 gets no replacement session, even after changing the password", async () => {
      const { app, db } = current();
      const member = await aMember(db);
      const browser = await signIn(app, member);
      const change = await send(browser, "/settings/password", {
        current_password: member.password,
        password: "another long password",
      });
      endBefore(/INSERT INTO sessions|UPDATE sessions SET id_hash/, member.userId);

      expect((await change()).headers.location).toBe("/settings");

      expect(await isSignedIn(browser)).toBe(false);
      const sessions = await db.query("SELECT FROM sessions WHERE user_id = $1", [member.userId]);
      expect(sessions).toEqual([]);
    });

    test("RVK-10 deactivation during sign-in prevents it, even after reactivation", async () => {
      const { app, db } = current();
      const member = await aMember(db);
      const browser = createBrowser(app);
      const sign = await browser.get("/signin");
      before(/FROM users WHERE id = [^"]* FOR NO KEY UPDATE/, 1, () =>
        db.transaction((tx) => deactivateAccount(tx, member.userId)),
      );

      await browser.submitForm(sign, { email: member.email, password: member.password });
      await db.transaction((tx) => activateAccount(tx, member.userId));

      expect(await isSignedIn(browser)).toBe(false);
      const told = (await findActivity(db, member)).map(([type]) => type);
      expect(told.slice(-2)).toEqual(["account_deactivated", "account_activated"]);
    });

    test("RVK-10 does not end the other sessions", async () => {
      const { app, db } = current();
      const member = await aMember(db);
      const stranger = await signIn(app, member);
      const person = await signIn(app, member);
      const page = await stranger.get("/settings/sessions/others/end");
      const first = "AND created_at = (SELECT min(created_at) FROM sessions WHERE user_id = $1)";
      endBefore(
        /SELECT FROM sessions WHERE id_hash|DELETE FROM sessions WHERE user/,
        member.userId,
        first,
      );

      await stranger.submitForm(page, {});

      expect(await isSignedIn(person)).toBe(true);
    });
  },
);
