import type { Tx } from "../../db/database.js";
import {
  organizationEventTypes,
  type ActivityEntry,
  type OrganizationEventType,
} from "../../db/entities/audit.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { toChange } from "./differences.js";
import type { Change } from "./record-events.js";
import type { CursorCodec } from "../shared/cursors.js";
import { instantText, toPage } from "../shared/page-rows.js";
import { checkTimeRange, inTimeRange } from "../shared/time-ranges.js";
import { countedSql, toTotal } from "../shared/totals.js";
import { getPerson } from "../shared/person-references.js";
import { getWorkspace } from "../shared/workspace-references.js";
import { anywhere, createParameters, type Parameters } from "../../db/parameters.js";
import { toTimestamp } from "../shared/dates.js";
import type { FoundEvent, HistoryListing, HistoryPage } from "./history-queries.js";

const types: readonly string[] = organizationEventTypes;

/**
 * Returns true if the types include members, roles, workspaces or permanent deletions, which are in
 * the activity log.
 */
export function asksForOrganization(asked: readonly string[] = []): boolean {
  return asked.some((type) => types.includes(type));
}

export async function searchOrganizationEvents(
  db: Tx,
  caller: Caller,
  { order, limit, cursor, ...filters }: HistoryListing,
  cursors: CursorCodec,
): Promise<HistoryPage<OrganizationEventType>> {
  refuseOtherEvents(filters);
  checkTimeRange(caller, filters);
  await requireOrganizationAdmin(db, caller, "view the organization's activity");
  const { organizationId } = caller;
  const scope = {
    organizationId,
    list: "organization events",
    sort: `created_at ${order}`,
    filters,
  };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const parameters = createParameters(organizationId);
  const conditions = await toConditions(db, caller, filters, parameters);
  const counted = await db.query<{ counted: number }>(
    `SELECT ${countedSql(`SELECT FROM activity_log l WHERE ${conditions.join(" AND ")}`)} AS counted`,
    parameters.values,
  );
  const [direction, beyond] = order === "newest" ? ["DESC", "<"] : ["ASC", ">"];
  if (after !== undefined) {
    const [at, id] = [parameters.add(after.value), parameters.add(after.id)];
    conditions.push(`(l.created_at, l.id) ${beyond} (${at}::timestamptz, ${id}::bigint)`);
  }
  const found = await db.query<EntryRow>(
    `SELECT l.id::text AS id, l.type, l.user_id, l.actor_name, l.details, l.created_at,
       ${instantText("l.created_at")} AS at
     FROM activity_log l WHERE ${conditions.join(" AND ")}
     ORDER BY l.created_at ${direction}, l.id ${direction} LIMIT ${parameters.add(limit + 1)}`,
    parameters.values,
  );
  const { rows, last } = toPage(found, limit, toEvent);
  return {
    events: rows,
    ...toTotal(counted[0]?.counted),
    ...(last !== undefined && {
      next_cursor: cursors.encode(scope, { value: last.at, id: last.id }),
    }),
  };
}

/** Events of assets and tasks have a different order and different readers. */
function refuseOtherEvents({ event_types: asked = [], ...filters }: Partial<HistoryListing>) {
  const { asset_id, task_id, field } = filters;
  const isMixed = asked.some((type) => !types.includes(type));
  if (isMixed || (asset_id ?? task_id ?? field) !== undefined) {
    throw new AppError("validation_failed", "events_of_two_kinds", { field: "event_types" });
  }
}

type Filters = Omit<HistoryListing, "order" | "limit" | "cursor">;

async function toConditions(
  db: Tx,
  caller: Caller,
  filters: Filters,
  parameters: Parameters,
): Promise<string[]> {
  const { add } = parameters;
  const { query, workspace_id: workspace, actor_user_id: actor, source, client } = filters;
  const conditions = [
    "l.organization_id = $1",
    `l.type = ANY (${add(filters.event_types)}::text[])`,
    ...inTimeRange("l.created_at", caller, filters, parameters),
  ];
  if (workspace !== undefined) {
    const { id } = await getWorkspace(db, caller, workspace);
    conditions.push(`l.details ->> 'workspace_id' = ${add(id)}`);
  }
  if (actor !== undefined) {
    const { id } = await getPerson(db, caller, actor, "actor_user_id");
    conditions.push(`l.user_id = ${add(id)}`);
  }
  if (source !== undefined) conditions.push(`${sourceSql} = ${add(source)}`);
  if (client !== undefined) {
    conditions.push(`l.details ->> 'client_name' ILIKE ${add(anywhere(client))}`);
  }
  for (const word of query?.split(/\s+/).filter((text) => text !== "") ?? []) {
    conditions.push(`concat_ws(' ', l.type, l.actor_name, l.details) ILIKE ${add(anywhere(word))}`);
  }
  return conditions;
}

const sourceSql = `CASE WHEN l.details ->> 'client_name' IS NOT NULL THEN 'mcp'
  WHEN l.user_id IS NULL THEN 'system' ELSE 'web' END`;

interface EntryRow extends Pick<ActivityEntry, "id" | "user_id" | "actor_name" | "created_at"> {
  type: OrganizationEventType;
  details: Partial<Record<string, string | number | string[]>>;
  /** The event's time in cursor format. */
  at: string;
}

function toEvent({ id, type, details, ...entry }: EntryRow): FoundEvent<OrganizationEventType> {
  const { client_name: client, inventory_number, asset_name, asset_id } = details;
  const { user_id, actor_name, created_at } = entry;
  const source = user_id === null ? "system" : "web";
  return {
    id,
    change_set_id: null,
    occurred_at: toTimestamp(created_at),
    type,
    task_id: null,
    task_number: null,
    task_title: null,
    actor: actor_name,
    actor_user_id: user_id,
    source: textOf(client) === null ? source : "mcp",
    client: textOf(client),
    changes: toChanges(type, details),
    note: null,
    asset_id: textOf(asset_id),
    inventory_number: textOf(inventory_number),
    asset_name: textOf(asset_name),
  };
}

function toChanges(type: OrganizationEventType, details: EntryRow["details"]): Change[] {
  const { user_id, name, workspace, from, to, role, former_name: former, changed } = details;
  const isOver = type === "member_removed" || type === "workspace_deleted";
  const about = (field: string, value: unknown) =>
    isOver ? toChange(field, value, null) : toChange(field, null, value);
  const ofPerson = [about("user_id", user_id), about("user", name)];
  const ofWorkspace = former === undefined ? about("name", name) : toChange("name", former, name);
  const others = Array.isArray(changed) ? changed.filter((field) => field !== "name") : [];
  const changes: Change[] = [
    ...(user_id === undefined ? [ofWorkspace] : ofPerson),
    about("workspace_name", workspace),
    toChange("role", from, to ?? role),
    ...others.map((field) => ({ field, to: "changed" })),
  ];
  return changes.filter(({ from: was, to: is }) => (was ?? is) !== undefined);
}

function textOf(value: string | number | string[] | null | undefined): string | null {
  return typeof value === "string" ? value : null;
}
