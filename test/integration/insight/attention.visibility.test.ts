import { beforeAll, describe, expect, test } from "vitest";
import { findAttention } from "../../../server/src/domain/insight/attention.js";
import type { Caller } from "../../../server/src/domain/access/caller.js";
import { getKeyFigures, getStats } from "../../../server/src/domain/insight/organization-stats.js";
import { anOrganizationIn, repaired, type Organization } from "../../support/attention.js";
import { aMember, toCaller } from "../../support/builders.js";
import { useDatabase } from "../../support/database.js";
import { dayFromToday } from "../../support/replay.js";

const database = useDatabase();

describe("visibility of the attention list", () => {
  let organization: Organization;
  let own: Caller;
  let looker: Caller;
  let mine: string;

  /** Adds one entry for each reason in a workspace. */
  async function fill(place: string | undefined, name: string): Promise<void> {
    const { anAsset, aTask: add } = organization;
    const there = { workspace_id: place };
    await add(await anAsset(`${name} late`, there), { due_date: dayFromToday(-3) });
    await anAsset(`${name} down`, { ...there, state: "out_of_service" });
    await add(await anAsset(`${name} unassigned`, there), { priority: "urgent" });
    const failing = await anAsset(`${name} failing`, there, 300);
    for (const days of [5, 6, 7]) await add(failing, repaired(days));
    await anAsset(`${name} warranty`, { ...there, warranty_expires_on: dayFromToday(3) });
  }

  beforeAll(async () => {
    organization = await anOrganizationIn(database());
    const { member, aPlace } = organization;
    const join = (workspace: string, workspaceRole: "member" | "viewer") =>
      aMember(database(), {
        organization: member.organization,
        role: "member",
        workspace,
        workspaceRole,
      });
    mine = await aPlace("Mine");
    await fill(mine, "mine");
    await fill(await aPlace("Theirs"), "theirs");
    await fill(undefined, "unplaced");
    own = toCaller(await join("Mine", "member"), "member");
    looker = toCaller(await join("Mine", "viewer"), "member");
  });

  const namesOf = async (caller: Caller, workspaceId?: string) => {
    const { entries } = await findAttention(database(), { caller, workspaceId, limit: 50 });
    return entries.map(({ asset }) => asset?.name ?? "").toSorted();
  };
  const each = (name: string) =>
    ["down", "failing", "late", "unassigned", "warranty"].map((what) => `${name} ${what}`);

  test("owners see their whole organization and nothing from another", async () => {
    expect(await namesOf(organization.caller)).toEqual([
      ...each("mine"),
      ...each("theirs"),
      ...each("unplaced"),
    ]);
    expect(await namesOf(organization.caller, mine)).toEqual(each("mine"));
    const other = await anOrganizationIn(database());
    expect(await namesOf(other.caller)).toEqual([]);
  });

  test("totals count visible entries, overall or in one workspace", async () => {
    const count = async (caller: Caller, workspaceId?: string) =>
      (await findAttention(database(), { caller, workspaceId, limit: 1 })).total;
    expect(await count(organization.caller)).toBe(15);
    expect(await count(own)).toBe(10);
    expect(await count(organization.caller, mine)).toBe(5);
  });

  test("members and viewers see their workspaces and unplaced entries", async () => {
    expect(await namesOf(own)).toEqual([...each("mine"), ...each("unplaced")]);
    expect(await namesOf(looker)).toEqual(await namesOf(own));
  });

  test("marks entries as changeable only for people who may change them", async () => {
    const changeable = async (caller: Caller) => {
      const { entries } = await findAttention(database(), { caller, limit: 50 });
      return new Set(entries.filter((entry) => entry.may_change).map((one) => one.workspace?.name));
    };
    expect(await changeable(organization.caller)).toEqual(new Set(["Mine", "Theirs", undefined]));
    expect(await changeable(own)).toEqual(new Set(["Mine"]));
    expect(await changeable(looker)).toEqual(new Set());
  });

  test("home page figures match the statistics for everyone", async () => {
    for (const caller of [organization.caller, own, looker]) {
      const figures = await getKeyFigures(database(), caller, { days: 90 });
      const stats = await getStats(database(), caller, { workspace: undefined, days: 90 });
      expect(stats).toMatchObject({ scope: figures.scope, tasks: figures.tasks });
      expect(figures.assets.by_state).toEqual(stats.assets.by_state);
      expect(stats.period).toMatchObject({ days: 90, failures: figures.period.failures });
      expect(figures.period.mtbf_days).toBe(stats.period.mtbf_days);
      expect(figures.period.pm_tasks_due).toBe(stats.period.pm_tasks_due);
    }
  });
});
