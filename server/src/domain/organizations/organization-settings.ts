import type { EntityManager } from "typeorm";
import { Organization } from "../../db/entities/organization.js";
import { AppError } from "../../errors.js";
import { recordCallerActivity } from "../logs/activity.js";
import type { Caller } from "../access/caller.js";
import { cleanCurrency } from "../values/currencies.js";
import { toChange } from "../changes/differences.js";
import { validateUpdate } from "../changes/validate-update.js";
import type { Change } from "../events/record-events.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { cleanText } from "../values/text.js";
import { checkVersion } from "../changes/versions.js";
import { cleanPrefix, cleanTimeZone } from "./organizations.js";

type OrganizationFields = Pick<
  Organization,
  "name" | "time_zone" | "currency" | "inventory_prefix"
>;

export interface OrganizationSettings
  extends OrganizationFields, Pick<Organization, "id" | "version"> {
  /** From the first generated number on the prefix stays as it is. */
  prefix_is_used: boolean;
}

/** What every member may know of the organization. */
export async function getOrganizationSettings(
  db: EntityManager,
  caller: Caller,
): Promise<OrganizationSettings> {
  return readSettings(db, caller, "");
}

export interface OrganizationUpdate {
  name?: string | undefined;
  time_zone?: string | undefined;
  currency?: string | undefined;
  inventory_prefix?: string | undefined;
  expected_version?: number | undefined;
}

export interface OrganizationChange {
  organization: { id: string; name: string; version: number };
  changed: Change[];
}

/**
 * Changes the given settings. Another time zone changes how moments are read and when days begin,
 * not what is stored; another currency counts for what is entered from then on.
 */
export async function updateOrganization(
  tx: EntityManager,
  caller: Caller,
  update: OrganizationUpdate,
): Promise<OrganizationChange> {
  await requireOrganizationAdmin(tx, caller, "change the organization");
  validateUpdate(update, "such as name");
  const fields = cleanFields(update);
  // The row that hands out numbers: none is taken while the prefix changes.
  const present = await readSettings(tx, caller, "FOR NO KEY UPDATE");
  const { id } = present;
  await checkVersion(tx, caller, { kind: "organization", ...present }, update.expected_version);
  const columns = toColumns(fields).filter(([field, value]) => value !== present[field]);
  const changed = columns.map(([field, value]) => toChange(field, present[field], value));
  const name = fields.name ?? present.name;
  if (columns.length === 0) {
    return { organization: { id, name, version: present.version }, changed };
  }
  refuseNewPrefix(present, fields);
  await tx.getRepository(Organization).update(
    { id },
    {
      ...Object.fromEntries(columns),
      version: present.version + 1,
      updated_at: () => "fettle_now()",
    },
  );
  await recordCallerActivity(tx, caller, "organization_updated", {
    name,
    changed: changed.map(({ field }) => field),
    changes: changed,
  });
  return { organization: { id, name, version: present.version + 1 }, changed };
}

async function readSettings(
  db: EntityManager,
  caller: Caller,
  lock: "" | "FOR NO KEY UPDATE",
): Promise<OrganizationSettings> {
  const rows: OrganizationSettings[] = await db.query(
    `SELECT id, name, time_zone, currency, inventory_prefix,
       next_inventory_seq > 1 AS prefix_is_used, version
     FROM organizations WHERE id = $1 ${lock}`,
    [caller.organizationId],
  );
  const settings = rows[0];
  if (settings === undefined) throw new Error(`The organization ${caller.organizationId} is gone.`);
  return settings;
}

function cleanFields(update: OrganizationUpdate): Partial<OrganizationFields> {
  const { name, time_zone, currency, inventory_prefix } = update;
  return {
    ...(name !== undefined && { name: cleanText(name, { field: "name", max: 120 }) }),
    ...(time_zone !== undefined && { time_zone: cleanTimeZone(time_zone.trim()) }),
    ...(currency !== undefined && { currency: cleanCurrency(currency.trim()) }),
    ...(inventory_prefix !== undefined && {
      inventory_prefix: cleanPrefix(inventory_prefix.trim().toUpperCase()),
    }),
  };
}

function toColumns(fields: Partial<OrganizationFields>): [keyof OrganizationFields, string][] {
  return (["name", "time_zone", "currency", "inventory_prefix"] as const).flatMap((field) => {
    const value = fields[field];
    return value === undefined ? [] : [[field, value]];
  });
}

function refuseNewPrefix(
  { prefix_is_used, inventory_prefix: present }: OrganizationSettings,
  { inventory_prefix: wanted }: Partial<OrganizationFields>,
): void {
  if (!prefix_is_used || wanted === undefined || wanted === present) return;
  const details = { field: "inventory_prefix", prefix: present };
  throw new AppError("invalid_transition", "prefix_in_use", details);
}
