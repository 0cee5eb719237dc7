import { Readable } from "node:stream";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { Tx } from "../../../server/src/db/database.js";
import type { Caller } from "../../../server/src/domain/access/caller.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { changeOrganizationRole } from "../../../server/src/domain/people/member-roles.js";
import { endMembership } from "../../../server/src/domain/people/member-removal.js";
import { addMember } from "../../../server/src/domain/organizations/organizations.js";
import { changeRules } from "../../../server/src/domain/organizations/organization-rules.js";
import { RetryTransaction } from "../../../server/src/db/retry-transaction.js";
import { useApp } from "../../support/app.js";
import { aMember, toCaller } from "../../support/builders.js";
import { countWaiting } from "../../support/database.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { before } from "../../support/statements.js";

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its transaction
const { query } = Tx.prototype;

/** Events that end access during an operation. */
const endings = {
  "the connection is ended":
    "UPDATE oauth_connections SET revoked_at = now(), revoked_reason = 'disconnected' WHERE id = $2 AND user_id = $1",
  "the person is removed":
    "UPDATE organization_members SET removed_at = now() WHERE user_id = $1 AND $2 <> ''",
  "the account is deactivated":
    "UPDATE users SET deactivated_at = now() WHERE id = $1 AND $2 <> ''",
};

const losses = {
  ...endings,
  "the person is demoted":
    "UPDATE organization_members SET role = 'member' WHERE user_id = $1 AND $2 <> ''",
  "a role in a workspace is changed":
    "UPDATE workspace_members SET role = 'viewer' WHERE user_id = $1 AND $2 <> ''",
  "the person is taken out of a workspace":
    "DELETE FROM workspace_members WHERE user_id = $1 AND $2 <> ''",
};

describe("access that ends during a request", () => {
  const current = useApp();
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const toAppCaller = ({ member, connectionId }: Connected): Caller => ({
    ...toCaller(member),
    connectionId,
  });

  const end = ({ member, connectionId }: Connected, statement: string) =>
    current().db.query(statement, [member.userId, connectionId]);

  const batch = async ({ token }: Connected, calls: [string, object][]) => {
    const { body, statusCode } = await current().app.inject({
      method: "POST",
      url: "/mcp",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      payload: calls.map(([name, args], id) => ({
        ...{ jsonrpc: "2.0", id, method: "tools/call" },
        params: { name, arguments: args },
      })),
    });
    expect(statusCode).toBe(200);
    return JSON.parse(body) as {
      error?: { message: string };
      result?: { isError?: boolean; structuredContent: { error?: { code: string } } };
    }[];
  };

  const countOf = async (table: string, { member }: Connected) => {
    const row = await current().db.maybe<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE organization_id = $1`,
      [member.organizationId],
    );
    return row?.count;
  };

  test.each(Object.entries(endings))(
    "RVK-01, MCP-11: when %s, rejects the remaining messages of a batch",
    async (_, statement) => {
      const person = await connect(current());
      await person.ok("create_asset", { name: "Pump" });
      before(/FROM assets/, 1, () => end(person, statement));

      const [first, ...others] = await batch(person, [
        ["list_assets", {}],
        ["create_asset", { name: "Second pump" }],
        ["list_assets", {}],
      ]);

      expect(first?.result).toBeDefined();
      expect(others.map(({ error }) => error?.message)).toEqual(
        Array(2).fill("The access token is not valid: it has expired or was revoked."),
      );
      expect(await countOf("assets", person)).toBe(1);
    },
  );

  test("RVK-01, MCP-10: a demotion applies to the next message of a batch", async () => {
    const owner = await connect(current());
    before(/FROM assets/, 1, () => end(owner, losses["the person is demoted"]));

    const [, creation] = await batch(owner, [
      ["list_assets", {}],
      ["create_workspace", { name: "Hall 3" }],
    ]);

    expect(creation?.result?.structuredContent.error?.code).toBe("forbidden");
    expect(await countOf("workspaces", owner)).toBe(0);
  });

  test("RVK-01: serves a slow body only if access hasn't ended in the meantime", async () => {
    const person = await connect(current());
    const payload = { jsonrpc: "2.0", id: 1, method: "ping" };
    const now = performance.now.bind(performance);
    const body = new Readable({
      read() {
        void end(person, endings["the connection is ended"]).then(() => {
          vi.spyOn(performance, "now").mockImplementation(() => now() + 2000);
          this.push(JSON.stringify(payload));
          this.push(null);
        });
      },
    });

    const response = await current().app.inject({
      method: "POST",
      url: "/mcp",
      headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
      payload: body,
    });

    expect(response.statusCode).toBe(401);
    // The error is not from the token check at the start of the request, which succeeded.
    expect(response.json()).toMatchObject({ jsonrpc: "2.0" });
    expect(response.headers["www-authenticate"]).toContain('error="invalid_token"');
  });

  test.each(Object.entries(losses))(
    "RVK-02: when %s before the commit, nothing is changed",
    async (_, statement) => {
      const { db } = current();
      const person = await connect(current(), { workspace: "Hall" });
      const caller = toAppCaller(person);
      await end(person, statement);

      const work = commit({ db, caller }, (tx) =>
        tx.query("UPDATE organizations SET name = 'Changed' WHERE id = $1", [
          caller.organizationId,
        ]),
      );

      await expect(work).rejects.toMatchObject({ code: "forbidden", key: "access_changed" });
      expect(await db.query("SELECT 1 FROM organizations WHERE name = 'Changed'")).toEqual([]);
    },
  );

  test("RVK-16: a person demoted and promoted again can't finish work begun before", async () => {
    const { db } = current();
    const owner = await aMember(db);
    const admin = await aMember(db, { organization: owner.organization, role: "admin" });
    for (const role of ["member", "admin"] as const) {
      await commit({ db, caller: null }, (tx) =>
        changeOrganizationRole(tx, toCaller(owner, "owner"), { user_id: admin.userId, role }),
      );
    }

    const work = commit({ db, caller: toCaller(admin, "admin") }, async () => "done");

    await expect(work).rejects.toMatchObject({ code: "forbidden", key: "access_changed" });
  });

  test("RVK-16: a person removed and readmitted with the same role can't finish work begun before", async () => {
    const { db } = current();
    const { organization } = await aMember(db);
    const admin = await aMember(db, { organization, role: "admin" });
    const { organizationId, userId, name: userName } = admin;
    const caller = toCaller(admin, "admin");
    const member = { organizationId, userId, userName, role: "admin" } as const;
    await commit({ db, caller: null }, async (tx) => {
      await endMembership(tx, { organizationId, userId: null }, userId);
    });
    await commit({ db, caller: null }, (tx) => addMember(tx, member));

    const work = commit({ db, caller }, async () => "done");

    await expect(work).rejects.toMatchObject({ code: "forbidden", key: "access_changed" });
  });

  test("RVK-02: commits a change by a person with unchanged access, even with a new role", async () => {
    const { db } = current();
    const owner = await aMember(db);
    const caller = toCaller(owner);
    await db.query(
      "INSERT INTO workspaces (id, organization_id, name, created_by) VALUES ('wsp_x', $1, 'New', $2)",
      [owner.organizationId, owner.userId],
    );
    await db.query(
      "INSERT INTO workspace_members (workspace_id, user_id, organization_id, role) VALUES ('wsp_x', $1, $2, 'member')",
      [owner.userId, owner.organizationId],
    );

    expect(await commit({ db, caller }, async () => "done")).toBe("done");
    expect(caller.hasCommitted).toBe(true);
    expect(await commit({ db, caller }, (tx) => tx.query("DELETE FROM workspaces"))).toBeDefined();
  });

  // The embedded database runs one transaction at a time, so access can't end during another one.
  describe.runIf(inject("databaseUrl") !== null)("with concurrent transactions", () => {
    test.each(Object.entries(losses))(
      "RVK-03: when %s during a change, rejects the change",
      async (_, statement) => {
        const person = await connect(current(), { workspace: "Hall" });
        before(/m\.access_epoch = /, 1, () => end(person, statement));

        const error = await person.refused("create_workspace", { name: "Hall 3" });

        expect(error).toMatchObject({ code: "forbidden" });
        expect(error.message).toContain("Nothing was changed");
        expect(await countOf("workspaces", person)).toBe(1);
      },
    );

    test("RVK-15 rejects an app's deletion begun before deletions needed a person's confirmation", async () => {
      const { app, db } = current();
      const owner = await connect(current());
      const { asset } = await owner.ok<{ asset: { id: string; inventory_number: string } }>(
        "create_asset",
        { name: "Pump" },
      );
      const browser = await signIn(app, owner.member);
      const form = await browser.get("/settings/organization/deletions");
      // The settings change confirms its own access with a matching statement.
      before(/m\.access_epoch = /, 1, async () => {
        const saved = await browser.submitForm(form, { deletion_needs_person: "yes" });
        expect(saved.statusCode).toBe(303);
      });

      const error = await owner.refused("force_delete_asset", {
        asset_id: asset.id,
        confirm_inventory_number: asset.inventory_number,
      });

      expect(error).toMatchObject({ code: "forbidden" });
      expect(await db.query("SELECT FROM assets WHERE id = $1", [asset.id])).toHaveLength(1);
      expect(
        (
          await owner.refused("force_delete_asset", {
            asset_id: asset.id,
            confirm_inventory_number: asset.inventory_number,
          })
        ).code,
      ).toBe("confirmation_mismatch");
    });

    test("losing access during the change prevents turning on the confirmation of deletions", async () => {
      const { app, db } = current();
      const owner = await connect(current());
      const { organizationId, userId } = owner.member;
      const browser = await signIn(app, owner.member);
      const form = await browser.get("/settings/organization/deletions");
      // Simulates a rule that requires a second factor the person lacks.
      before(/SET access_epoch = access_epoch/, 1, async () => {
        await db.query(
          `UPDATE organization_members SET access_epoch = access_epoch + 1
           WHERE organization_id = $1 AND user_id = $2`,
          [organizationId, userId],
        );
      });

      const saved = await browser.submitForm(form, { deletion_needs_person: "yes" });

      expect(saved.statusCode).toBe(403);
      expect(
        await db.query("SELECT deletion_needs_person AS is FROM organizations WHERE id = $1", [
          organizationId,
        ]),
      ).toEqual([{ is: false }]);
    });

    test("losing access before a retry prevents turning on the confirmation of deletions", async () => {
      const { db } = current();
      const caller = toCaller((await connect(current())).member);
      let attempts = 0;
      const change = commit({ db, caller }, async (tx) => {
        attempts += 1;
        if (attempts === 2) {
          await tx.query(
            `UPDATE organization_members SET access_epoch = access_epoch + 1
             WHERE organization_id = $1 AND user_id = $2`,
            [caller.organizationId, caller.userId],
          );
        }
        await changeRules(tx, caller, "deletions", { deletion_needs_person: true });
        if (attempts === 1) throw new RetryTransaction("Someone else came first.");
      });

      await expect(change).rejects.toMatchObject({ code: "forbidden" });
      expect(attempts).toBe(2);
    });

    test.each(Object.entries(losses))(
      "RVK-03: %s only after previously confirmed changes are committed",
      async (_, statement) => {
        const { db } = current();
        const person = await connect(current(), { workspace: "Hall" });
        const caller = toAppCaller(person);
        const ended = vi.fn();
        let ending: Promise<unknown> = Promise.resolve();

        vi.spyOn(Tx.prototype, "query").mockImplementation(async function (
          this: Tx,
          sql: string,
          parameters?: unknown[],
        ) {
          const rows: unknown = await query.call(this, sql, parameters);
          if (sql.includes("access_epoch")) {
            ending = end(person, statement).then(ended);
            await vi.waitFor(async () => {
              expect(await countWaiting(db)).toBe(1);
            }, 60_000);
            expect(ended).not.toHaveBeenCalled();
          }
          return rows;
        } as typeof query);
        await commit({ db, caller }, async () => undefined);
        await ending;

        expect(ended).toHaveBeenCalledOnce();
      },
    );
  });
});
