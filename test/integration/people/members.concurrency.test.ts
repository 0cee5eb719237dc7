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

describe("simultaneous member changes", () => {
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

  test("one of two owners who demote or remove each other succeeds, and one remains", async () => {
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

  test("one of two admins succeeds in removing the other", async () => {
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

  test("rejects an owner's request after the owner is demoted or removed", async () => {
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
