import { describe, expect, inject, test } from "vitest";
import { endDueMemberships } from "../../../server/src/domain/people/access-end.js";
import { lockMembersOf } from "../../../server/src/db/locks.js";
import { isLockTimeout } from "../../../server/src/db/query-errors.js";
import { useApp } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";

// The embedded database runs one transaction at a time, so no lock is held meanwhile.
describe.runIf(inject("databaseUrl") !== null)("organization that locks its members", () => {
  const current = useApp();

  /** Members of a new organization whose access period is over. */
  async function dueMembers(count: number): Promise<Member[]> {
    const { organization } = await aMember(current().db, { role: "owner" });
    const members: Member[] = [];
    while (members.length < count) {
      members.push(await aMember(current().db, { organization, role: "member" }));
    }
    await current().db.query(
      `UPDATE organization_members SET access_ends_on = '2026-01-01'
       WHERE organization_id = $1 AND role = 'member'`,
      [members[0]?.organizationId],
    );
    return members;
  }

  async function haveAccess(members: readonly Member[]): Promise<boolean[]> {
    const rows = await current().db.query<{ user_id: string }>(
      "SELECT user_id FROM organization_members WHERE user_id = ANY ($1) AND removed_at IS NULL",
      [members.map(({ userId }) => userId)],
    );
    return members.map(({ userId }) => rows.some((row) => row.user_id === userId));
  }

  test("LIM-69 doesn't delay the end of memberships in other organizations", async () => {
    const { db } = current();
    const held = await dueMembers(2);
    const others = [...(await dueMembers(1)), ...(await dueMembers(1))];

    const error = await db.transaction(async (tx) => {
      await lockMembersOf(tx, held[0]?.organizationId ?? "");
      return endDueMemberships(db).catch((failure: unknown) => failure);
    });

    expect(isLockTimeout(error)).toBe(true);
    expect(await haveAccess(others)).toEqual([false, false]);
    expect(await haveAccess(held)).toEqual([true, true]);
    await endDueMemberships(db);
    expect(await haveAccess(held)).toEqual([false, false]);
  });
});
