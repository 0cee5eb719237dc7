// @module-tag embedded

import type { FastifyInstance } from "fastify";
import type { Database } from "../../../server/src/db/database.js";
import { beforeAll, describe, expect, test } from "vitest";
import { deleteOrganization } from "../../../server/src/domain/organizations/organization-deletion.js";
import { createToolCallLog } from "../../../server/src/domain/audit/tool-calls.js";
import { checkpointsOf, entriesOf, save, useAudit } from "../../support/audit.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { callWith, connect, refresh, signIn } from "../../support/oauth.js";
import { reportsIn } from "../../support/reports.js";

describe("organization deletion", () => {
  const audit = useAudit();
  let db: Database;
  let app: FastifyInstance;

  const remove = (reference: string, ...more: string[]) =>
    audit.command(["organization", "delete", reference, ...more]);

  /** Rows of an organization as text, for every table with an organization column. */
  async function rowsOf(id: string): Promise<Map<string, string[]>> {
    const tables = await db.query<{
      name: string;
    }>(`SELECT table_name AS name FROM information_schema.columns
       WHERE column_name = 'organization_id' AND table_schema = 'public' ORDER BY 1`);
    const rows = tables.map(async ({ name }) => {
      const found = await db.query<{ row: string }>(
        `SELECT to_jsonb(t)::text AS row FROM ${name} t WHERE organization_id = $1 ORDER BY 1`,
        [id],
      );
      return [name, found.map(({ row }) => row)] as const;
    });
    return new Map(await Promise.all(rows));
  }
  const filled = (rows: Map<string, string[]>) =>
    [...rows].flatMap(([name, found]) => (found.length > 0 ? [name] : []));

  /** Creates an organization with rows in every table. Add rows here for a new table. */
  async function anOrganization(name: string) {
    await audit.command(["demo", "seed", "--organization", name, "--size", "tiny"]);
    const owner = await aMember(db, { organization: name, role: "owner", workspace: "Hall" });
    const connected = await connect(app, owner);
    const { organizationId: id, userId } = owner;
    const statements = [
      `INSERT INTO assets (id, organization_id, inventory_number, name, qr_token, created_by)
       SELECT 'ast_' || n, $1, 'N-' || n, 'Part', 'q' || n, $2 FROM generate_series(1000, 2100) n`,
      "UPDATE assets SET parent_asset_id = 'ast_1000' WHERE organization_id = $1 AND id > 'ast_1000' AND inventory_number LIKE 'N-%'",
      `INSERT INTO asset_peaks (organization_id, asset_id, begins_in, kind, amount)
       VALUES ($1, 'ast_1001', '2026', 'failures', 1)`,
      `INSERT INTO deletion_records (organization_id, asset_id, inventory_number, asset_name,
         actor_user_id, actor_name, tasks_removed, events_removed, deleted_at)
       VALUES ($1, 'ast_gone', 'G', 'Gone', $2, 'Owner', 0, 0, now())`,
      `INSERT INTO meters (organization_id, id, asset_id, name, unit, created_by)
       VALUES ($1, 'mtr_1', 'ast_1001', 'Odometer', 'km', $2)`,
      `INSERT INTO meter_readings (organization_id, id, meter_id, value, total, read_at, replaced,
         source, recorded_by) VALUES ($1, 'rdg_1', 'mtr_1', 1, 1, now(), false, 'web', $2)`,
      `INSERT INTO maintenance_plans (organization_id, id, anchor, meter_id, every_usage, created_by)
       VALUES ($1, 'pln_usage', 'due_date', 'mtr_1', 10, $2)`,
      `INSERT INTO problem_reports (organization_id, id, asset_id, request_key, description, still_usable)
       VALUES ($1, 'rep_1', 'ast_1001', 'k', 'x', true)`,
      `INSERT INTO comments (organization_id, id, asset_id, text, created_by)
       VALUES ($1, 'cmt_1', 'ast_1001', 'Seen', $2)`,
      `INSERT INTO procedures (organization_id, id, name, created_by)
       VALUES ($1, 'prc_1', 'Check', $2)`,
      `INSERT INTO procedure_versions (organization_id, procedure_id, version, steps, edited_by)
       VALUES ($1, 'prc_1', 1, '[]', $2)`,
      `INSERT INTO task_links (organization_id, id, task_id, contractor, created_by, expires_at)
       SELECT $1, 'lnk_1', id, 'Lindqvist Lifts', $2, now() FROM maintenance_tasks
       WHERE organization_id = $1 LIMIT 1`,
      `INSERT INTO comments (organization_id, id, task_id, text, task_link_id)
       SELECT $1, 'cmt_2', task_id, 'Done', id FROM task_links WHERE organization_id = $1`,
      `UPDATE task_checklist_items SET done_at = now(), done_by = NULL, task_link_id = 'lnk_1'
       WHERE organization_id = $1 AND done_at IS NOT NULL`,
      `INSERT INTO place_labels (organization_id, id, workspace_id, location, qr_token, created_by)
       SELECT $1, 'plc_1', id, 'Room 12', 'c' || $1, $2 FROM workspaces WHERE organization_id = $1 LIMIT 1`,
      `INSERT INTO push_subscriptions (endpoint_hash, user_id, subscription_encrypted)
       SELECT convert_to($2, 'UTF8'), $2, '' FROM organizations WHERE id = $1`,
      `INSERT INTO push_messages (organization_id, endpoint_hash, body_encrypted, expires_at)
       VALUES ($1, convert_to($2, 'UTF8'), '', now())`,
      `INSERT INTO rounds (organization_id, id, workspace_id, started_by)
       SELECT $1, 'rnd_1', id, $2 FROM workspaces WHERE organization_id = $1 LIMIT 1`,
      `INSERT INTO round_findings (organization_id, round_id, id, outcome, asset_id, found_by, found_at)
       VALUES ($1, 'rnd_1', 'scan', 'seen', 'ast_1001', $2, now())`,
      `INSERT INTO kept_photos (organization_id, id, name, content) VALUES ($1, 'kph_1', 'a.png', 'x')`,
      `INSERT INTO files (organization_id, id, asset_id, name, type, size, storage)
       VALUES ($1, 'fil_1', 'ast_1001', 'a.txt', 'text/plain', 1, 'database')`,
      `INSERT INTO file_pieces VALUES ($1, 'fil_1', 0, 'x')`,
      `INSERT INTO idempotency_records VALUES ($1, $2, 'app', 'tool', 'key', '', '{}', now())`,
      `INSERT INTO identity_providers (organization_id, issuer, client_id, client_secret_encrypted,
         break_glass_owner_id) VALUES ($1, 'https://login.example.com', 'c', '', $2)`,
      `INSERT INTO identity_provider_domains VALUES ($1, 'example-' || $2, 'c', now(), now())`,
      `INSERT INTO unique_names VALUES ('domain', 'example-' || $2, $1)`,
      `INSERT INTO provider_identities VALUES ($1, 'https://login.example.com', 's', $2, false)`,
      `INSERT INTO invites (id, organization_id, email, organization_role, token_hash, expires_at,
         last_sent_at, invited_by) VALUES ('inv_1', $1, 'a@example.com', 'member', '', now(), now(), $2)`,
      `INSERT INTO mail_outbox (kind, organization_id, invite_id, recipient, body_encrypted, status,
         next_attempt_at) VALUES ('invitation', $1, 'inv_1', 'a@example.com', '', 'kept', now())`,
      `INSERT INTO retired_inventory_numbers VALUES ($1, 'R-1')`,
      `INSERT INTO saved_views VALUES ($1, $2, 'tasks', 'Late', 'state=overdue')`,
      `INSERT INTO absences VALUES ($1, $2, '2026-12-21', '2026-12-31')`,
      `INSERT INTO calendar_feeds VALUES ($1, $2, '', 'own')`,
      `INSERT INTO webhooks (organization_id, id, url, events, secret_encrypted, created_by)
       VALUES ($1, 'whk_1', 'https://example.com/', '{}', '', $2)`,
      `INSERT INTO webhook_deliveries (organization_id, webhook_id, id, type, data)
       VALUES ($1, 'whk_1', 'evt_1', 'webhook.test', '{}')`,
      `INSERT INTO notification_choices (organization_id, user_id, channel) VALUES ($1, $2, 'app')`,
      `INSERT INTO notifications (organization_id, user_id, kind, subject)
       VALUES ($1, $2, 'assigned', 'tsk_1')`,
      `INSERT INTO confirmations (organization_id, id, connection_id, user_id, call_hash, question, answer,
         expires_at) SELECT $1, 'cnf_1', c.id, $2, '', '{"about": "several", "words": "Sure?"}', 'Yes', now() FROM oauth_connections c
         WHERE c.organization_id = $1 LIMIT 1`,
      `INSERT INTO change_sets (organization_id, id, kind, state, user_id, title)
       VALUES ($1, 'chg_1', 'import', 'planned', $2, 'Pumps')`,
      `INSERT INTO change_set_rows (organization_id, change_set_id, line, outcome, name)
       VALUES ($1, 'chg_1', 2, 'create', 'Pump')`,
      `INSERT INTO import_pieces VALUES ($1, 'chg_1', 0, 'x')`,
      `INSERT INTO tool_call_log (organization_id, user_id, client_id, tool, outcome, duration_ms,
         request_id, created_at) VALUES ($1, $2, 'app', 'list_assets', 'ok', 1, 'req', now())`,
    ];
    for (const statement of statements) {
      await db.query(statement, statement.includes("$2") ? [id, userId] : [id]);
    }
    return { id, owner, ...connected };
  }

  let gone: Awaited<ReturnType<typeof anOrganization>>;
  let other: Awaited<ReturnType<typeof anOrganization>>;
  let before: Map<string, string[]>;
  let exported: string[];
  beforeAll(async () => {
    ({ db, app } = audit.current());
    gone = await anOrganization("Gone Ltd");
    other = await anOrganization("Other Ltd");
    before = await rowsOf(other.id);
    exported = (await audit.run(["export"])).lines;
  }, 60_000);

  test("finds rows in every table, and deletes none before confirmation", async () => {
    const rows = await rowsOf(gone.id);

    const { code, lines, errors } = await remove("Gone Ltd");

    expect([code, lines]).toEqual([1, []]);
    expect(errors.join()).toContain(`This deletes Gone Ltd (${gone.id})`);
    expect(errors.join()).toContain("Add --yes to confirm");
    expect(filled(rows)).toEqual([...rows.keys()]);
    expect(await rowsOf(gone.id)).toEqual(rows);
    expect((await remove("Nowhere", "--yes")).errors.join()).toContain("No organization Nowhere");
  });

  test("an interrupted deletion blocks access, and continues when run again", async () => {
    const seen: string[] = [];
    const interrupted = deleteOrganization(db, gone.id, (table, rows) => {
      seen.push(`${table} ${rows}`);
      if (table === "assets") throw new Error("killed");
    });
    await expect(interrupted).rejects.toThrow("killed");

    expect(seen).toContain("history_events 6");
    const { browser, client, tokens, owner } = gone;
    expect(await callWith(app, tokens.access_token)).toBe(401);
    expect((await refresh(app, client, tokens.refresh_token)).json()).toMatchObject({
      error: "invalid_grant",
    });
    expect((await browser.get("/assets")).headers.location).toBe("/");
    const again = await signIn(app, owner);
    expect((await again.get("/")).body).toContain("You're not in an organization");
  });

  test("AUD-15 deletes everything, keeps accounts and other organizations, and records it in the server's chain", async () => {
    const { code, lines, errors } = await remove(gone.id, "--yes");

    expect(code, errors.join()).toBe(0);
    const done = JSON.parse(lines.join()) as Record<string, unknown>;
    const last = checkpointsOf(exported).findLast(({ checkpoint }) => checkpoint.chain === gone.id);
    expect(done).toMatchObject({
      organization_id: gone.id,
      name: "Gone Ltd",
      audit_entries: last?.checkpoint.sequence,
      audit_hash: last?.checkpoint.hash,
    });
    expect(filled(await rowsOf(gone.id))).toEqual([]);
    expect(await rowsOf(other.id)).toEqual(before);
    expect(await callWith(app, other.tokens.access_token)).not.toBe(401);
    expect(await db.query("SELECT FROM users WHERE id = $1", [gone.owner.userId])).toHaveLength(1);
    const told = entriesOf((await audit.run(["export", "--organization", "server"])).lines);
    expect(told.map(({ entry }) => [entry["type"], entry.details])).toEqual(
      expect.arrayContaining([
        ["organization_closed", { organization_id: gone.id, members: 2, assets: 1104, tasks: 2 }],
        [
          "organization_deleted",
          {
            organization_id: gone.id,
            audit_entries: last?.checkpoint.sequence,
            audit_hash: last?.checkpoint.hash,
          },
        ],
      ]),
    );
  });

  test("AUD-15 the audit still verifies, even against exports with the deleted chain", async () => {
    expect(await audit.run(["verify", "--checkpoints", save(exported)])).toMatchObject({ code: 0 });
  });

  test("drops calls still waiting to be logged, and frees the name", async () => {
    const call = {
      user_id: gone.owner.userId,
      client_id: "app",
      tool: "list_assets",
      arguments: {},
      outcome: "ok",
      error_code: null,
      duration_ms: 1,
      request_id: "req",
      created_at: new Date(),
    } as const;
    const errors: unknown[] = [];
    const log = createToolCallLog(db, (error) => errors.push(error));
    log.record({ ...call, organization_id: gone.id }, true);
    log.record({ ...call, organization_id: other.id }, true);
    await log.close();

    expect(errors).toEqual([]);
    expect(filled(await rowsOf(gone.id))).toEqual([]);
    expect((await rowsOf(other.id)).get("tool_call_log")).toHaveLength(2);
    await aMember(db, { organization: "Gone Ltd" });
    const { lines } = await audit.command(["organization", "list"]);
    expect(lines.join("\n")).toContain('"slug":"gone-ltd"');
  });

  test("a report from a label during deletion isn't stored and doesn't stop the deletion", async () => {
    const { aScene, report } = reportsIn(() => ({ app, db, config: audit.config }));
    const scene = await aScene();
    const stranger = createBrowser(app);
    await report(stranger, scene);
    const form = await stranger.get(`/q/${scene.code}/report`);
    const { organizationId: id } = scene.team.owner;
    let location: unknown;

    await deleteOrganization(db, id, async (table) => {
      if (table !== "problem_reports") return;
      const values = { description: "It burns.", still_usable: "no" };
      ({ location } = (await stranger.submitForm(form, values)).headers);
    });

    expect(location).toBe(`/q/${scene.code}`);
    expect(filled(await rowsOf(id))).toEqual([]);
  });
});
