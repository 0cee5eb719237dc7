import { randomInt } from "node:crypto";
import type { Tx } from "../../db/database.js";
import { Organization } from "../../db/entities/organizations.js";
import type { OrganizationMember } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import type { OrganizationRole } from "../access/caller.js";
import { isOwnFactorLeftOut, type SignInProof } from "../shared/sign-in-proof.js";
import { endConnectionsOf } from "../oauth/connections.js";
import { lockRulesShared } from "../../db/locks.js";
import {
  hasIdentityOfProviderSql,
  lacksItForDestructiveSql,
  lacksSecondFactorSql,
} from "../accounts/second-factor-sql.js";
import { cleanCurrency } from "../shared/currencies.js";
import { hashSecret } from "../shared/secrets.js";
import { createId, createToken } from "../shared/ids.js";
import { cleanText, withoutMarks } from "../shared/text.js";
import { cleanTimeZone } from "../shared/time-zones.js";

export interface NewOrganization {
  name: string;
  /** IANA name. Defaults to UTC. */
  timeZone?: string;
  /** ISO 4217. Defaults to USD. */
  currency?: string;
  /** One to eight characters of A-Z and 0-9. Defaults to three random digits. */
  inventoryPrefix?: string;
}

export type OrganizationRow = Pick<Organization, "id" | "name" | "slug">;

/** Creates an organization without members. Its slug is derived from the name. */
export async function createOrganization(
  tx: Tx,
  fields: NewOrganization,
): Promise<OrganizationRow> {
  const id = createId("organization");
  const { name, timeZone, currency } = cleanNewOrganization(fields);
  const prefix = cleanPrefix(fields.inventoryPrefix ?? String(randomInt(100, 1000)));
  const base = toSlug(name);
  for (let slug = base; ; slug = `${base.slice(0, 33)}-${createToken().slice(0, 6)}`) {
    const free = await tx.query(
      `INSERT INTO unique_names (kind, name, organization_id) VALUES ('slug', $1, $2)
       ON CONFLICT ON CONSTRAINT unique_names_pkey DO NOTHING RETURNING 1`,
      [slug, id],
    );
    if (free.length === 0) continue;
    const organization = {
      id,
      name,
      slug,
      inventory_prefix: prefix,
      time_zone: timeZone,
      currency,
    };
    await tx.insert(Organization, organization);
    return { id, name, slug };
  }
}

export function cleanNewOrganization({
  name,
  timeZone = "UTC",
  currency = "USD",
}: Pick<NewOrganization, "name" | "timeZone" | "currency">) {
  return {
    name: cleanOrganizationName(name),
    timeZone: cleanTimeZone(timeZone),
    currency: cleanCurrency(currency),
  };
}

function cleanOrganizationName(value: string): string {
  return cleanText(value, { field: "organization", label: "organization name", max: 120 });
}

export interface NewMember {
  organizationId: string;
  userId: string;
  userName: string;
  role: OrganizationRole;
  invitedBy?: string;
  accessEndsOn?: string | null;
  origin?: Origin | undefined;
}

/** Adds or re-adds a member. Active members keep their role. */
export async function addMember(tx: Tx, member: NewMember): Promise<void> {
  const { organizationId, userId, userName, role, invitedBy, accessEndsOn, origin } = member;
  if (role !== "member") await lockRulesShared(tx, organizationId);
  const added = await tx.query(
    `INSERT INTO organization_members (organization_id, user_id, role, invited_by, access_ends_on)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT organization_members_pkey DO UPDATE
       SET role = excluded.role, invited_by = excluded.invited_by, joined_at = app_now(),
         removed_at = NULL, access_ends_on = excluded.access_ends_on,
         access_epoch = organization_members.access_epoch + 1
       WHERE organization_members.removed_at IS NOT NULL
     RETURNING user_id`,
    [organizationId, userId, role, invitedBy ?? null, accessEndsOn ?? null],
  );
  if (added.length === 0) return;
  // A returning member starts fresh. Earlier connections and changes in progress stay ended.
  await endConnectionsOf(tx, { organizationId, userId });
  await recordActivity(tx, {
    organizationId,
    userId,
    actorName: userName,
    type: "member_added",
    details: { role },
    origin,
  });
}

export type Membership = Pick<Organization, "id" | "name" | "time_zone" | "currency"> &
  Pick<OrganizationMember, "role" | "access_epoch"> & {
    member_version: string;
    /** True if the person needs a second factor to be an owner or admin here. */
    lacks_second_factor: boolean;
    /** True if an app needs the person's second factor to get `mcp_destructive`. */
    lacks_it_for_destructive: boolean;
    /** True for sample organizations. */
    is_sample: boolean;
    /** The number of unread notifications, at most 100. */
    unread: number;
  };

export function inOrganization(membership: Membership) {
  return {
    organizationId: membership.id,
    organizationName: membership.name,
    organizationRole: membership.role,
    timeZone: membership.time_zone,
    currency: membership.currency,
    accessEpoch: membership.access_epoch,
    memberVersion: membership.member_version,
    lacksSecondFactor: membership.lacks_second_factor,
  };
}

/**
 * Returns a person's organizations by name, samples last. If `proof` names an organization whose
 * identity provider asked for several factors, they count there while it is the provider. Elsewhere
 * only the person's own factor counts, once shown. Returns none if the given session has ended.
 */
export async function findOrganizationsOf(
  db: Tx,
  userId: string,
  proof?: SignInProof,
  sessionId?: string,
): Promise<Membership[]> {
  const isThere =
    sessionId === undefined ? "TRUE" : "EXISTS (SELECT FROM sessions WHERE id_hash = $4)";
  const key = sessionId === undefined ? [] : [hashSecret(sessionId)];
  return db.query(
    `SELECT o.id, o.name, m.role, m.access_epoch, m.xmin::text AS member_version,
       o.time_zone, o.currency, o.sample_percent IS NOT NULL AS is_sample,
       ${lacksSecondFactorSql("o", "m", "$3")} AND ${hasNoProofSql} AS lacks_second_factor,
       ${lacksItForDestructiveSql("o", "m", "$3")} AND ${hasNoProofSql} AS lacks_it_for_destructive,
       (SELECT count(*)::int FROM (SELECT FROM notifications n
         WHERE n.organization_id = m.organization_id AND n.user_id = m.user_id
           AND n.in_app AND n.read_at IS NULL LIMIT 100) unread) AS unread
     FROM organization_members m JOIN organizations o ON o.id = m.organization_id
     WHERE m.user_id = $1 AND m.removed_at IS NULL AND ${isThere}
     ORDER BY o.sample_percent IS NOT NULL, lower(o.name), o.id`,
    [userId, proof?.factorsOf ?? null, proof === undefined || !isOwnFactorLeftOut(proof), ...key],
  );
}

const hasNoProofSql = `(o.id IS DISTINCT FROM $2 OR NOT ${hasIdentityOfProviderSql("o", "m")})`;

/** Finds by name, ignoring case. Returns the oldest match. */
export async function findOrganizationByName(
  db: Tx,
  name: string,
): Promise<OrganizationRow | undefined> {
  return db.maybe<OrganizationRow>(
    `SELECT id, name, slug FROM organizations WHERE lower(name) = lower($1)
     ORDER BY created_at, id LIMIT 1`,
    [name],
  );
}

/**
 * Resolves an operator's reference: an id, else a slug, else a name. Names aren't unique, and a
 * name may equal another organization's id.
 */
export async function findOrganizations(db: Tx, reference: string): Promise<OrganizationRow[]> {
  const rows = await db.query<OrganizationRow>(
    `SELECT id, name, slug FROM organizations WHERE $1 IN (id, slug) OR lower(name) = lower($1)
     ORDER BY created_at, id`,
    [reference],
  );
  const exact =
    rows.find(({ id }) => id === reference) ?? rows.find(({ slug }) => slug === reference);
  return exact === undefined ? rows : [exact];
}

export interface OrganizationLine {
  organization_id: string;
  name: string;
  slug: string;
  members: number;
  workspaces: number;
  assets: number;
  created_at: Date;
}

export async function listOrganizations(db: Tx): Promise<OrganizationLine[]> {
  const count = (table: string, more = "") =>
    `(SELECT count(*)::int FROM ${table} t WHERE t.organization_id = o.id${more})`;
  return db.query(
    `SELECT o.id AS organization_id, o.name, o.slug,
       ${count("organization_members", " AND t.removed_at IS NULL")} AS members,
       ${count("workspaces")} AS workspaces,
       ${count("assets", " AND t.state <> 'deleted'")} AS assets, o.created_at
     FROM organizations o ORDER BY o.sample_percent IS NOT NULL, lower(o.name), o.id`,
  );
}

function toSlug(name: string): string {
  const words = withoutMarks(name).toLowerCase();
  const slug = words
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  return slug.length >= 2 ? slug : `org-${slug}${createToken().slice(0, 6)}`;
}

export function cleanPrefix(value: string): string {
  if (/^[A-Z0-9]{1,8}$/.test(value)) return value;
  throw new AppError("validation_failed", "wrong_prefix", { field: "inventory_prefix" });
}
