import { describe, expect, test } from "vitest";
import { endExpiredConnections } from "../../../server/src/domain/oauth/connections-ended.js";
import { signChains } from "../../../server/src/domain/audit/checkpoints.js";
import { endDueMemberships } from "../../../server/src/domain/people/access-end.js";
import { queueMailsOfMorning } from "../../../server/src/domain/messaging/mornings.js";
import { rollUpFigures } from "../../../server/src/domain/insight/roll-up-figures.js";
import { useApp } from "../../support/app.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { notificationsIn, zoneWhereItIs } from "../../support/notifications.js";
import { connect } from "../../support/oauth.js";

const current = useApp();
const { mails } = notificationsIn(current);

interface Job {
  run: () => Promise<unknown>;
  /** Gives the job something to do in an organization. */
  prepare: (owner: Member) => Promise<unknown>;
  /** SQL for the amount of work left there. */
  left: string;
  /**
   * The table whose rows can't be written in the failing organization, and the column with its id.
   */
  table: string;
  column?: string;
}

const query = (sql: string, values: unknown[] = []) => current().db.query(sql, values);

const jobs: Record<string, Job> = {
  "connections end": {
    run: () => endExpiredConnections(current().db),
    prepare: (owner) => connect(current().app, owner),
    left: `SELECT FROM oauth_connections WHERE organization_id = $1 AND revoked_at IS NULL`,
    table: "oauth_connections",
  },
  "memberships end": {
    run: () => endDueMemberships(current().db),
    prepare: async ({ organization }) => {
      const { userId } = await aMember(current().db, { organization, role: "member" });
      const sql =
        "UPDATE organization_members SET access_ends_on = '2026-01-01' WHERE user_id = $1";
      await query(sql, [userId]);
    },
    left: `SELECT FROM organization_members WHERE organization_id = $1 AND removed_at IS NULL
      AND access_ends_on IS NOT NULL`,
    table: "organization_members",
  },
  "figures are summed up": {
    run: () => rollUpFigures(current().db),
    prepare: (owner) => aTask(current().db, owner, { workspace_id: owner.workspaceId ?? "" }),
    left: "SELECT FROM figures WHERE organization_id = $1 AND level = 0",
    table: "figures",
  },
  "mails of the morning are written": {
    run: () => queueMailsOfMorning(current().db, mails()),
    prepare: ({ organizationId }) =>
      query("UPDATE organizations SET time_zone = $2 WHERE id = $1", [
        organizationId,
        zoneWhereItIs(9),
      ]),
    left: "SELECT FROM organizations WHERE id = $1 AND reminded_on IS NULL",
    table: "organizations",
    column: "id",
  },
  "chains are signed": {
    run: () => signChains(current().db, current().app.services.auditSigner),
    prepare: () => Promise.resolve(),
    left: `SELECT FROM audit_chains a WHERE id = $1
      AND NOT EXISTS (SELECT FROM audit_checkpoints WHERE chain = a.id)`,
    table: "audit_checkpoints",
    column: "chain",
  },
};

describe("job that fails for one organization", () => {
  test.each(Object.entries(jobs))("LIM-47 continues with the others: %s", async (_, job) => {
    const owners = [];
    for (let count = 0; count < 3; count += 1) {
      const owner = await aMember(current().db, { workspace: "Hall" });
      await job.prepare(owner);
      owners.push(owner);
    }
    await query("UPDATE oauth_connections SET expires_at = now() - interval '1 minute'");
    const ids = owners.map(({ organizationId }) => organizationId).toSorted();
    const [failing = ""] = ids;
    const leftIn = async (id: string) => (await query(job.left, [id])).length > 0;
    expect(await Promise.all(ids.map(leftIn))).toEqual([true, true, true]);
    await poison(job, failing);

    await expect(job.run()).rejects.toThrow("poison");

    expect(await Promise.all(ids.map(leftIn))).toEqual([true, false, false]);
    await query(`DROP TRIGGER poison ON ${job.table}`);
    await job.run();
    expect(await leftIn(failing)).toBe(false);
  });

  async function poison(
    { table, column = "organization_id" }: Job,
    organizationId: string,
  ): Promise<void> {
    await query(`CREATE OR REPLACE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF coalesce(to_jsonb(NEW), to_jsonb(OLD)) ->> '${column}' = '${organizationId}' THEN
        RAISE EXCEPTION 'poison';
      END IF;
      RETURN coalesce(NEW, OLD);
    END $$`);
    await query(`CREATE TRIGGER poison BEFORE INSERT OR UPDATE OR DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION poison()`);
  }
});
