import { randomInt } from "node:crypto";
import type { Tx } from "../../db/database.js";
import { Organization } from "../../db/entities/organizations.js";
import type { OrganizationMember } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import type { OrganizationRole } from "../access/caller.js";
import { isOwnFactorLeftOut, type SignInProof } from "../shared/sign-in-proof.js";
import { endConnectionsOf } from "../oauth/connections.js";
import { shareRules } from "../../db/locks.js";
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
  /** IANA name; UTC when left out. */
  timeZone?: string;
  /** ISO 4217; USD when left out. */
  currency?: string;
  /** One to eight characters of A-Z and 0-9; three random digits when left out. */
  inventoryPrefix?: string;
}

export type OrganizationRow = Pick<Organization, "id" | "name" | "slug">;

/** Adds an organization without anybody in it. Its slug follows from the name. */
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

/** Makes a person a member; one who has left comes back. An active member keeps role and place. */
export async function addMember(tx: Tx, member: NewMember): Promise<void> {
  const { organizationId, userId, userName, role, invitedBy, accessEndsOn, origin } = member;
  if (role !== "member") await shareRules(tx, organizationId);
  const added = await tx.query(
    `INSERT INTO organization_members (organization_id, user_id, role, invited_by, access_ends_on)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT organization_members_pkey DO UPDATE
       SET role = excluded.role, invited_by = excluded.invited_by, joined_at = fettle_now(),
         removed_at = NULL, access_ends_on = excluded.access_ends_on,
         access_epoch = organization_members.access_epoch + 1
       WHERE organization_members.removed_at IS NOT NULL
     RETURNING user_id`,
    [organizationId, userId, role, invitedBy ?? null, accessEndsOn ?? null],
  );
  if (added.length === 0) return;
  // Who comes back starts anew: what was connected or begun before stays ended.
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
    /** Whether the person has to set up a second factor before acting as an owner or admin. */
    lacks_second_factor: boolean;
    /** The same before an app may get `mcp_destructive`. */
    lacks_it_for_destructive: boolean;
    /** Made to play in. */
    is_sample: boolean;
  };

/** What of a caller hangs on the organization that they act in. */
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
 * The organizations a person is in now, by name, a sample last. In that of the proof the identity provider has
 * asked for more than one factor at this sign-in, which counts there as a second factor while it is the provider. It
 * is no word for others: there the person's own counts, once it was shown. None once a given session has ended.
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
       ${lacksItForDestructiveSql("o", "m", "$3")} AND ${hasNoProofSql} AS lacks_it_for_destructive
     FROM organization_members m JOIN organizations o ON o.id = m.organization_id
     WHERE m.user_id = $1 AND m.removed_at IS NULL AND ${isThere}
     ORDER BY o.sample_percent IS NOT NULL, lower(o.name), o.id`,
    [userId, proof?.factorsOf ?? null, proof === undefined || !isOwnFactorLeftOut(proof), ...key],
  );
}

const hasNoProofSql = `(o.id IS DISTINCT FROM $2 OR NOT ${hasIdentityOfProviderSql("o", "m")})`;

/** By name, ignoring case; the oldest where several have it. */
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
 * Those that an operator may mean by an id, else by a slug, else by a name: names are not unique, and
 * one may be called like the id of another.
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

/** Every organization, by name, as the admin command prints them. */
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
