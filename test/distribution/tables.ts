/**
 * Where the rows of each table are when the database is distributed by organization, as Citus names
 * it: in the shard of their organization, as a copy on every node, or on the coordinator alone.
 */
export type Place = "distributed" | "reference" | "coordinator";

interface Group {
  place: Place;
  reason: string;
  tables: string[];
}

/** In the order in which they can be distributed: a table after those that it refers to. */
const groups: Group[] = [
  {
    place: "reference",
    reason: "People and apps are in many organizations, and are read beside the rows of each.",
    tables: ["users", "authenticators", "passkeys", "oauth_clients"],
  },
  {
    place: "distributed",
    reason: "Belongs to one organization.",
    tables: [
      "organizations",
      "organization_members",
      "calendar_feeds",
      "notification_choices",
      "notifications",
      "webhooks",
      "webhook_deliveries",
      "workspaces",
      "workspace_members",
      "invites",
      "asset_categories",
      "assets",
      "retired_inventory_numbers",
      "asset_state_periods",
      "meters",
      "meter_readings",
      "maintenance_plans",
      "maintenance_tasks",
      "task_checklist_items",
      "problem_reports",
      "rounds",
      "round_findings",
      "files",
      "kept_photos",
      "file_pieces",
      "asset_peaks",
      "figures",
      "history_events",
      "change_sets",
      "change_set_rows",
      "import_pieces",
      "deletion_records",
      "idempotency_records",
      "tool_call_log",
      "identity_providers",
      "identity_provider_domains",
      "provider_identities",
      "confirmations",
    ],
  },
  {
    place: "distributed",
    reason:
      "Belongs to one organization; looked up by a secret, which is in the key, before it is known.",
    tables: [
      "oauth_connections",
      "oauth_authorization_codes",
      "oauth_access_tokens",
      "oauth_refresh_tokens",
    ],
  },
  {
    place: "coordinator",
    reason: "Keeps names apart over all organizations.",
    tables: ["unique_names"],
  },
  {
    place: "coordinator",
    reason: "Outlives the organization until housekeeping has removed what it names.",
    tables: ["file_objects"],
  },
  {
    place: "coordinator",
    reason: "About a person or a browser, and read where no organization is known yet.",
    tables: [
      "user_passwords",
      "recovery_codes",
      "spent_challenges",
      "sessions",
      "typed_forms",
      "setup_links",
      "sign_ups",
      "password_resets",
      "oauth_authorization_requests",
    ],
  },
  {
    place: "coordinator",
    reason: "Some rows belong to no organization: a column that distributes is never null.",
    tables: ["activity_log", "audit_chains", "audit_checkpoints", "mail_outbox"],
  },
];

/** By the name of the table. */
export const places = new Map(
  groups.flatMap(({ place, tables }) => tables.map((table) => [table, place] as const)),
);

export function distributionColumn(table: string): string | undefined {
  if (places.get(table) !== "distributed") return undefined;
  return table === "organizations" ? "id" : "organization_id";
}

/** What is against a rule of `distribution.test.ts`, and why it may be. */
export const exceptions = {
  statementTriggers: {
    history_events_guard_truncate:
      "It reads and writes nothing: each shard refuses TRUNCATE by itself.",
  },
};

/** The advisory locks of the product, by their sources below `server/src/`, and what each is about. */
export const advisoryLocks: Record<string, "one organization" | "the coordinator"> = {
  "domain/assets/asset-parents.ts": "one organization",
  "db/locks.ts": "one organization",
  "domain/people/invite-limits.ts": "one organization",
  "domain/messaging/outbox.ts": "the coordinator",
  "domain/history/batches.ts": "the coordinator",
  "db/migrate.ts": "the coordinator",
};

/** What distributes the tables, as `server/SCALING.md` shows it. */
export function distributionCommands(): string {
  const commands = [...places].flatMap(([table, place]) => {
    if (place === "coordinator") return [];
    const column = distributionColumn(table);
    if (column === undefined) return `SELECT create_reference_table('${table}');`;
    const beside = table === "organizations" ? "" : ", colocate_with => 'organizations'";
    return `SELECT create_distributed_table('${table}', '${column}'${beside});`;
  });
  return commands.join("\n");
}

/** The tables of each place with their reason, as `server/SCALING.md` shows them. */
export function placesAsMarkdown(): string {
  const lines = groups.map(
    ({ place, reason, tables }) =>
      `- **${place}**: ${tables.map((table) => `\`${table}\``).join(", ")}. ${reason}`,
  );
  return lines.join("\n");
}
