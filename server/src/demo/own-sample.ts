import type { Database, Tx } from "../db/database.js";
import { Organization } from "../db/entities/organizations.js";
import type { Caller } from "../domain/access/caller.js";
import { requireOrganizationAdmin } from "../domain/access/roles.js";
import { forEachInOwnTransaction } from "../db/for-each-in-own-transaction.js";
import { lockAccount, lockSampleOf } from "../db/locks.js";
import { commit } from "../domain/history/transactions.js";
import {
  closeOrganization,
  deleteOrganization,
  type DeletedBy,
} from "../domain/organizations/organization-deletion.js";
import { recordActivity, serverName } from "../domain/audit/record-activity.js";
import { findLimitHome } from "../traffic/quota-organizations.js";
import {
  addMember,
  createOrganization,
  type OrganizationRow,
} from "../domain/organizations/organizations.js";
import type { ShouldContinue } from "../traffic/slots.js";
import type { SampleLanguage } from "./data/tables.js";
import { newSample } from "./organization.js";
import { analyzeSample, fillSample } from "./seed.js";

const name = "Northgate Facilities (sample)";
/**
 * Domain of the people in all own samples. No one can sign in to their accounts, and they receive
 * no email.
 */
const domain = "northgate.example";

export interface OwnSample extends OrganizationRow {
  percent: number;
  /** True if an unfinished sample has not grown for a minute. */
  is_resting: boolean;
}

export async function findOwnSample(db: Tx, userId: string): Promise<OwnSample | undefined> {
  return db.maybe<OwnSample>(
    `SELECT id, name, slug, sample_percent AS percent,
       sample_percent < 100 AND updated_at < app_now() - interval '1 minute' AS is_resting
     FROM organizations WHERE sample_of = $1`,
    [userId],
  );
}

/**
 * Starts a sample for an owner or admin, and discards an unfinished one. A second call returns the
 * running sample.
 */
export async function beginSample(
  tx: Tx,
  caller: Caller,
): Promise<OrganizationRow & { isNew: boolean }> {
  await requireOrganizationAdmin(tx, caller, "create a sample organization");
  await lockSampleOf(tx, caller.userId);
  const present = await findOwnSample(tx, caller.userId);
  if (present?.is_resting === false) return { ...present, isNew: false };
  if (present !== undefined) await giveUpSample(tx, present.id, caller);
  const made = await createOrganization(tx, { name, ...newSample });
  const sample_from = await findLimitHome(tx, caller.organizationId);
  await tx.update(
    Organization,
    { id: made.id },
    { sample_of: caller.userId, sample_percent: 0, sample_from },
  );
  // Every organization has an activity log from its start, even before a sample is filled.
  await recordActivity(tx, {
    organizationId: made.id,
    userId: caller.userId,
    actorName: caller.userName,
    type: "organization_created",
  });
  return { ...made, isNew: true };
}

/**
 * Fills the sample step by step, so other work runs in between. Adds its person at the end. If
 * interrupted, the sample stays unfinished.
 */
export async function makeSample(
  db: Database,
  caller: Caller,
  organization: OrganizationRow,
  shouldContinue: ShouldContinue,
  language: SampleLanguage = "en",
): Promise<void> {
  const { userId, userName, baseUrl } = caller;
  const { id: organizationId } = organization;
  const isOurs = { id: organizationId, sample_of: userId };
  const inTransaction = <Result>(work: (tx: Tx) => Promise<Result>) =>
    commit({ db, caller: null }, work);
  const tell = async (tx: Tx, percent: number) => {
    const row = { sample_percent: percent, updated_at: () => "app_now()" };
    const affected = await tx.update(Organization, isOurs, row);
    if (affected === 0) throw new Error("The sample organization was given up.");
  };
  const request = {
    ...organization,
    baseUrl,
    domain,
    size: "demo",
    asOf: undefined,
    language,
  } as const;
  await fillSample(inTransaction, request, async (done, all) => {
    await inTransaction((tx) => tell(tx, Math.floor((99 * done) / all)));
    if (!(await shouldContinue())) throw new Error("The server stops.");
  });
  await db.query(analyzeSample);
  await inTransaction(async (tx) => {
    await tell(tx, 100);
    if (!(await lockAccount(tx, userId))) throw new Error("The account was erased.");
    await addMember(tx, { organizationId, userId, userName, role: "owner" });
  });
}

const byServer: DeletedBy = { actorName: serverName };

/** Closes the sample for everyone. `deleteGivenUpSamples` deletes its rows. */
export async function giveUpSample(
  tx: Tx,
  id: string,
  { userId: user_id, userName: name }: Pick<Caller, "userId" | "userName">,
): Promise<void> {
  await closeOrganization(tx, id, { ...byServer, details: { user_id, name } });
  await tx.update(Organization, { id }, { sample_of: null });
}

/**
 * Deletes an abandoned sample step by step. If interrupted, the cleanup of abandoned samples
 * deletes the rest.
 */
export async function deleteSample(
  db: Database,
  id: string,
  shouldContinue: ShouldContinue,
): Promise<void> {
  const progress = async () => {
    if (!(await shouldContinue())) throw new Error("The server stops.");
  };
  await deleteOrganization(db, id, progress, byServer);
}

/** SQL: true if the sample has members who weren't invented for it. */
const hasPeople = `EXISTS (SELECT FROM organization_members m JOIN users p ON p.id = m.user_id
  WHERE m.organization_id = o.id AND m.removed_at IS NULL AND p.email NOT LIKE '%@${domain}')`;

/**
 * Deletes samples with all their data if they were given up, also by a server that stopped. Also
 * deletes samples that no one can finish or delete: their person was erased, or their original
 * organization is gone.
 */
export async function deleteGivenUpSamples(db: Database): Promise<void> {
  const rows = await db.query<{
    id: string;
  }>(`SELECT o.id FROM organizations o LEFT JOIN users u ON u.id = o.sample_of
     WHERE o.sample_percent IS NOT NULL AND (o.sample_of IS NULL
       OR u.email IS NULL AND NOT ${hasPeople}
       OR o.sample_percent < 100 AND o.sample_from IS NOT NULL
         AND NOT EXISTS (SELECT FROM organizations home WHERE home.id = o.sample_from))`);
  await forEachInOwnTransaction(rows, ({ id }) =>
    deleteOrganization(db, id, () => undefined, byServer),
  );
}
