import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { findPersonByEmail } from "../../../server/src/domain/accounts/accounts.js";
import { confirmSignUp } from "../../../server/src/domain/accounts/sign-ups.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { erasePerson } from "../../../server/src/domain/people/person-erasure.js";
import { addAccount } from "../../../server/src/domain/people/memberships.js";
import { createSecret, hashSecret } from "../../../server/src/domain/shared/secrets.js";
import { useApp } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { untilOneWaits } from "../../support/database.js";
import { tokenOf } from "../../support/mails.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { before } from "../../support/statements.js";

// The embedded database runs one transaction at a time, so nothing can happen during one.
describe.runIf(inject("databaseUrl") !== null)("an erasure during other changes", () => {
  const current = useApp();
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const erase = (email: string) =>
    commit({ db: current().db, caller: null }, async (tx) =>
      erasePerson(tx, email, await findPersonByEmail(tx, email)),
    );

  /** Starts an action that waits for an erasure, then commits the erasure. */
  async function whileErasing<Result>(email: string, act: () => Promise<Result>) {
    const { db } = current();
    const { acting } = await db.transaction(async (tx) => {
      await erasePerson(tx, email, await findPersonByEmail(tx, email));
      const begun = act();
      await untilOneWaits(db);
      return { acting: begun };
    });
    return acting;
  }

  const namesIn = async (table: string, name: string): Promise<object[]> =>
    current().db.query(`SELECT FROM ${table} t WHERE strpos(to_jsonb(t)::text, $1) > 0`, [name]);

  async function aMemberOfOther(name: string): Promise<{ owner: Member; person: Member }> {
    const owner = await aMember(current().db, { role: "owner" });
    const { organization } = owner;
    return { owner, person: await aMember(current().db, { organization, name }) };
  }

  test("signing out during an erasure leaves no name in the activity log", async () => {
    const { app } = current();
    const { person } = await aMemberOfOther("Zora Leaving");
    const browser = await signIn(app, person);
    const page = await browser.get("/settings");

    const answer = await whileErasing(person.email, () =>
      browser.submitForm(page, {}, { action: "/signout" }),
    );

    expect(answer.headers.location).toBe("/signin");
    expect(await namesIn("activity_log", person.name)).toEqual([]);
  });

  test("rejects adding a person to an organization during their erasure, and leaves no name", async () => {
    const { db } = current();
    const { person } = await aMemberOfOther("Zora Added");
    const { organization } = await aMember(db);

    const adding = whileErasing(person.email, () =>
      commit({ db, caller: null }, (tx) => addAccount(tx, { ...person, organization })),
    );

    await expect(adding).rejects.toMatchObject({ key: "no_such_account" });
    expect(await namesIn("activity_log", person.name)).toEqual([]);
  });

  test("a person who joins an organization during the erasure is removed from it too", async () => {
    const { app, db } = current();
    const { person } = await aMemberOfOther("Zora Joining");
    const other = await connect(current());
    const { invite } = await other.ok<{ invite: { id: string } }>("create_invite", {
      email: person.email,
    });
    const browser = await signIn(app, person);
    const page = await browser.get(`/invites/${await tokenOf(current(), invite.id)}`);
    before(/FROM users WHERE id = [^"]* FOR NO KEY UPDATE/, 1, async () => {
      expect((await browser.submitForm(page, {})).statusCode).toBe(303);
    });

    const erased = await erase(person.email);

    expect(erased?.left).toContain(other.member.organizationId);
    const memberships = await db.query<object>(
      "SELECT FROM organization_members WHERE user_id = $1 AND removed_at IS NULL",
      [person.userId],
    );
    expect(memberships).toEqual([]);
  });

  test("erases the account of a sign-up confirmed during the erasure", async () => {
    const { db } = current();
    const [token, email] = [createSecret(), "zora.confirming@example.com"];
    await db.query(
      `INSERT INTO sign_ups (token_hash, email, name, organization_name, password_hash, time_zone,
         currency, locale, expires_at)
       VALUES ($1, $2, 'Zora', 'Zora Ltd', 'hash', 'UTC', 'EUR', 'en-GB', now() + interval '1 day')`,
      [hashSecret(token), email],
    );
    const { erasing } = await db.transaction(async (tx) => {
      await confirmSignUp(tx, { token, origin: {} });
      const begun = erase(email);
      await untilOneWaits(db);
      return { erasing: begun };
    });

    await expect(erasing).rejects.toMatchObject({ code: "last_owner" });
  });
});
