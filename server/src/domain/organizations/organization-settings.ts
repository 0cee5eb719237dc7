import type { Tx } from "../../db/database.js";
import { Organization, organizationRules, type RuleOf } from "../../db/entities/organizations.js";
import { AppError } from "../../errors.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import type { Caller } from "../access/caller.js";
import { cleanCurrency } from "../shared/currencies.js";
import { toChange } from "../history/differences.js";
import { validateUpdate } from "../history/validate-update.js";
import type { Change } from "../history/record-events.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { cleanText } from "../shared/text.js";
import { checkVersion } from "../history/versions.js";
import { cleanTimeZone } from "../shared/time-zones.js";
import { cleanPrefix } from "./organizations.js";

const settings = {
  name: (value: string) => cleanText(value, { field: "name", max: 120 }),
  time_zone: (value: string) => cleanTimeZone(value.trim()),
  currency: (value: string) => cleanCurrency(value.trim()),
  inventory_prefix: (value: string) => cleanPrefix(value.trim().toUpperCase()),
};
const ruleNames = organizationRules.organization;

type Rule = RuleOf<"organization">;
type Setting = keyof typeof settings | Rule;

export interface OrganizationSettings extends Pick<Organization, Setting | "id" | "version"> {
  /** True once a number was generated. The prefix is fixed from then on. */
  prefix_is_used: boolean;
}

export async function getOrganizationSettings(
  db: Tx,
  caller: Caller,
): Promise<OrganizationSettings> {
  return readSettings(db, caller, "");
}

export type OrganizationUpdate = { [Each in Setting]?: Organization[Each] | undefined } & {
  expected_version?: number | undefined;
};

export interface OrganizationChange {
  organization: { id: string; name: string; version: number };
  changed: Change[];
}

/**
 * Changes the given settings. A new time zone changes how times are shown and when days begin, not
 * stored data. A new currency applies to new amounts only.
 */
export async function updateOrganization(
  tx: Tx,
  caller: Caller,
  update: OrganizationUpdate,
): Promise<OrganizationChange> {
  await requireOrganizationAdmin(tx, caller, "edit the organization");
  validateUpdate(update, "such as name");
  const cleaned = cleanSettings(update);
  // Locks the row that issues numbers, so none is issued while the prefix changes.
  const present = await readSettings(tx, caller, "FOR NO KEY UPDATE");
  const { id } = present;
  await checkVersion(tx, caller, { kind: "organization", ...present }, update.expected_version);
  const different = cleaned.filter(([field, value]) => value !== present[field]);
  const changed = different.map(([field, value]) => toChange(field, present[field], value));
  const columns = Object.fromEntries(different) as Partial<Pick<Organization, Setting>>;
  const { name = present.name } = columns;
  if (different.length === 0) {
    return { organization: { id, name, version: present.version }, changed };
  }
  if (present.prefix_is_used && columns.inventory_prefix !== undefined) {
    const details = { field: "inventory_prefix", prefix: present.inventory_prefix };
    throw new AppError("invalid_transition", "prefix_in_use", details);
  }
  const version = present.version + 1;
  await tx.update(Organization, { id }, { ...columns, version, updated_at: () => "app_now()" });
  await recordCallerActivity(tx, caller, "organization_updated", {
    name,
    changed: changed.map(({ field }) => field),
    changes: changed,
  });
  return { organization: { id, name, version }, changed };
}

async function readSettings(
  db: Tx,
  caller: Caller,
  lock: "" | "FOR NO KEY UPDATE",
): Promise<OrganizationSettings> {
  return db.one<OrganizationSettings>(
    `SELECT id, name, time_zone, currency, inventory_prefix, ${ruleNames.join(", ")},
       next_inventory_seq > 1 AS prefix_is_used, version
     FROM organizations WHERE id = $1 ${lock}`,
    [caller.organizationId],
  );
}

function cleanSettings(update: OrganizationUpdate): [Setting, string | boolean][] {
  const names = Object.keys(settings) as (keyof typeof settings)[];
  const cleaned = names.map(
    (name) =>
      [name, update[name] === undefined ? undefined : settings[name](update[name])] as const,
  );
  const rules = ruleNames.map((name) => [name, update[name]] as const);
  return [...cleaned, ...rules].flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
}
