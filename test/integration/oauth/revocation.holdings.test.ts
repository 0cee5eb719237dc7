import pg from "pg";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { updateAsset } from "../../../server/src/domain/assets/asset-updates.js";
import { changeMany } from "../../../server/src/domain/history/change-many.js";
import { commit, dryRun } from "../../../server/src/domain/history/transactions.js";
import { useApp } from "../../support/app.js";
import { toCaller } from "../../support/builders.js";
import { countWaiting } from "../../support/database.js";
import { connect, type Connected } from "../../support/mcp.js";

/** The prototype whose `query` sends every statement to a server. */
const connections = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
const sendQuery = connections.query;

// The embedded database runs one transaction at a time and has no statement timeout.
describe.runIf(inject("databaseUrl") !== null)("person losing access", () => {
  const current = useApp();

  const withPerson = async () => {
    const owner = await connect(current());
    const { organization } = owner.member;
    return { owner, person: await connect(current(), { organization, workspace: "Hall" }) };
  };
  const remove = (owner: Connected, { member }: Connected) =>
    owner.ok("remove_user", { user_id: member.email, from_organization: true });
  const waiting = (count: number) =>
    vi.waitFor(async () => {
      expect(await countWaiting(current().db)).toBe(count);
    }, 60_000);

  test("RVK-05: can't delay their removal with overlapping changes of several records", async () => {
    const { owner, person } = await withPerson();
    const { assets } = await owner.ok<{ assets: { id: string }[] }>("create_asset", {
      workspace_id: "Hall",
      assets: ["A", "B", "C", "D"].map((name) => ({ name })),
    });
    const ids = assets.map(({ id }) => id);
    const change = (asset_ids: string[]) =>
      person.call("update_asset", { asset_ids, assigned_to_user_id: "me", dry_run: true });

    const underWay = await current().db.transaction(async (tx) => {
      await tx.query("SELECT 1 FROM assets WHERE id = $1 FOR UPDATE", [ids[1]]);
      const first = change(ids.slice(0, 2));
      await waiting(1);
      const removal = remove(owner, person);
      await waiting(2);
      const second = change(ids.slice(2));
      await waiting(3);
      return { first, removal, second };
    });

    expect((await underWay.first).isError).toBeUndefined();
    expect(await underWay.removal).toMatchObject({ removed_from: "organization" });
    expect((await underWay.second).isError).toBe(true);
  });

  const ways = {
    "merging assets": (person: Connected, asset_id: string, kept: string) =>
      person.call("update_asset_state", {
        ...{ asset_id, state: "deleted", merged_into: kept, dry_run: true },
      }),
    "reading meters": (person: Connected, asset_id: string) =>
      person.call("update_asset", { asset_id, meter_readings: { km: 5 }, dry_run: true }),
    "forms for several records": ({ member }: Connected, id: string) =>
      dryRun(current().db, (tx) =>
        changeMany(tx, toCaller(member, "member"), {
          ...{ noun: "asset", records: [{ id, name: "A" }] },
          change: (inSet, one) => updateAsset(tx, inSet, one, { location: "Roof" }),
        }),
      ).then(({ refused }) => ({ isError: refused > 0 ? true : undefined })),
  };

  test.each(Object.entries(ways))(
    "RVK-05: can't delay their removal by repeatedly %s",
    async (_name, change) => {
      const { owner, person } = await withPerson();
      const { assets } = await owner.ok<{ assets: { id: string }[] }>("create_asset", {
        workspace_id: "Hall",
        assets: ["A", "B", "C"].map((name) => ({ name })),
      });
      const [first = "", second = "", kept = ""] = assets.map(({ id }) => id);

      const underWay = await current().db.transaction(async (tx) => {
        await tx.query("SELECT 1 FROM assets WHERE id = $1 FOR UPDATE", [first]);
        const changing = change(person, first, kept);
        await waiting(1);
        const removal = remove(owner, person);
        await waiting(2);
        const next = change(person, second, kept);
        await waiting(3);
        return { changing, removal, next };
      });

      expect((await underWay.changing).isError).toBeUndefined();
      expect(await underWay.removal).toMatchObject({ removed_from: "organization" });
      expect((await underWay.next).isError).toBe(true);
    },
  );

  test("RVK-05: can't delay their removal by repeatedly becoming an assignee", async () => {
    const { owner, person } = await withPerson();
    const become = () =>
      person.call("create_asset", {
        ...{ name: "Pump", workspace_id: "Hall", assigned_to_user_id: "me" },
      });

    const underWay = await current().db.transaction(async (tx) => {
      await tx.query("SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [
        owner.member.organizationId,
      ]);
      const first = become();
      await waiting(1);
      const removal = remove(owner, person);
      await waiting(2);
      const { structuredContent } = await become();
      expect(structuredContent["error"]).toMatchObject({ code: "conflict" });
      return { first, removal };
    });

    expect((await underWay.first).isError).toBeUndefined();
    expect(await underWay.removal).toMatchObject({ unassigned: { assets: 1 } });
  });

  test.each([false, true])(
    "RVK-09: can't delay their removal with changes that wait for it (replicas: %j)",
    async (readsReplicas) => {
      const { person } = await withPerson();
      const { member, connectionId } = person;
      const caller = { ...toCaller(member, "member"), connectionId, readsReplicas };
      const epoch = await current().db.maybe<{ access_epoch: number }>(
        "SELECT access_epoch FROM organization_members WHERE organization_id = $1 AND user_id = $2",
        [member.organizationId, member.userId],
      );
      const accessEpoch = epoch?.access_epoch ?? 0;

      const { change } = await current().db.transaction(async (tx) => {
        const removed = [member.organizationId, member.userId];
        await tx.query(
          `UPDATE organization_members SET removed_at = now()
           WHERE organization_id = $1 AND user_id = $2`,
          removed,
        );
        const confirming = commit({ db: current().db, caller: { ...caller, accessEpoch } }, () =>
          Promise.resolve("changed"),
        ).catch((error: unknown) => error);
        await waiting(1);
        await tx.query("SET LOCAL lock_timeout = '200ms'");
        await tx.query(
          `UPDATE oauth_connections SET revoked_at = now(), revoked_reason = 'member_removed'
           WHERE organization_id = $1 AND user_id = $2`,
          removed,
        );
        return { change: confirming };
      });

      expect(await change).toMatchObject({ code: "forbidden" });
    },
  );

  test("RVK-06: can be removed while assigned to any number of records", async () => {
    const { owner, person } = await withPerson();
    const { organizationId, userId } = person.member;
    await current().db.query(
      `INSERT INTO maintenance_tasks
         (id, organization_id, workspace_id, task_number, title, type, created_by, assigned_to_user_id)
       SELECT 'tsk_' || lpad(i::text, 12, '0'), $1, $2, i, 'Task ' || i, 'other', $3, $3
       FROM generate_series(1, 4500) i`,
      [organizationId, person.member.workspaceId, userId],
    );
    const counts: number[] = [];
    vi.spyOn(connections, "query").mockImplementation(function (this: typeof connections, ...args) {
      // Named or unnamed: after many texts, new statements get no names.
      const [query, given] = args as [string | { text: string; values: unknown[] }, unknown[]];
      const { text, values } = typeof query === "object" ? query : { text: query, values: given };
      if (/^UPDATE maintenance_tasks\s+SET as/.test(text)) {
        counts.push((values[1] as string[]).length);
      }
      return sendQuery.apply(this, args);
    });
    onTestFinished(() => void vi.restoreAllMocks());

    expect(await remove(owner, person)).toMatchObject({ unassigned: { tasks: 4500 } });

    expect(counts).toEqual([2000, 2000, 500]);
  });
});
