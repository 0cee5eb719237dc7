// @module-tag embedded

import { describe, expect, test } from "vitest";
import type { Caller, OrganizationRole } from "../../../server/src/domain/access/caller.js";
import { removeUser } from "../../../server/src/domain/people/member-removal.js";
import { changeOrganizationRole } from "../../../server/src/domain/people/member-roles.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { AppError } from "../../../server/src/errors.js";
import { aMember, toCaller, type Member } from "../../support/builders.js";
import { useDatabase } from "../../support/database.js";

const rounds = Array.from({ length: 8 }, (_, index) => index);

describe("people who decide on each other at the same moment", () => {
  const database = useDatabase();

  const join = ({ organization }: Member, role: OrganizationRole) =>
    aMember(database(), { organization, role });

  const remove = (caller: Caller, { userId }: Member) =>
    commit({ db: database(), caller }, (tx) =>
      removeUser(tx, caller, { user_id: userId, from_organization: true }),
    );

  const demote = (caller: Caller, { userId }: Member) =>
    commit({ db: database(), caller }, (tx) =>
      changeOrganizationRole(tx, caller, { user_id: userId, role: "member" }),
    );

  /** Returns "done" or the error code. */
  const outcomeOf = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );

  async function rolesIn({ organizationId }: Member): Promise<string[]> {
    const rows = await database().query<{ role: string }>(
      `SELECT role FROM organization_members
       WHERE organization_id = $1 AND removed_at IS NULL ORDER BY role`,
      [organizationId],
    );
    return rows.map(({ role }) => role);
  }

  test("of two owners who demote or remove each other one goes through, and one owner stays", async () => {
    for (const round of rounds) {
      const one = await aMember(database());
      const two = await join(one, "owner");
      const [first, second] = [toCaller(one, "owner"), toCaller(two, "owner")];

      const outcomes = await Promise.all([
        outcomeOf(round % 2 === 0 ? demote(first, two) : remove(first, two)),
        outcomeOf(round % 4 < 2 ? demote(second, one) : remove(second, one)),
      ]);

      expect(outcomes.toSorted()).toEqual(["done", "forbidden"]);
      expect(await rolesIn(one)).toContain("owner");
    }
  });

  test("of two admins who remove each other one is removed", async () => {
    for (let round = 0; round < rounds.length; round += 1) {
      const owner = await aMember(database());
      const [one, two] = [await join(owner, "admin"), await join(owner, "admin")];

      const outcomes = await Promise.all([
        outcomeOf(remove(toCaller(one, "admin"), two)),
        outcomeOf(remove(toCaller(two, "admin"), one)),
      ]);

      expect(outcomes.toSorted()).toEqual(["done", "forbidden"]);
      expect(await rolesIn(owner)).toEqual(["admin", "owner"]);
    }
  });

  test("what somebody asked for as an owner is refused once they are an admin or gone", async () => {
    const owner = await aMember(database());
    const [other, third] = [await join(owner, "owner"), await join(owner, "owner")];
    const before = toCaller(other, "owner");
    await commit({ db: database(), caller: null }, (tx) =>
      changeOrganizationRole(tx, toCaller(owner, "owner"), {
        user_id: other.userId,
        role: "admin",
      }),
    );

    expect(await outcomeOf(remove(before, third))).toBe("forbidden");
    expect(await outcomeOf(demote(before, third))).toBe("forbidden");
    await remove(toCaller(owner, "owner"), other);
    expect(await outcomeOf(remove(before, third))).toBe("forbidden");
    expect(await outcomeOf(demote(before, third))).toBe("forbidden");
    expect(await rolesIn(owner)).toEqual(["owner", "owner"]);
  });
});
