import type { Database } from "../db/database.js";
import { commit } from "../domain/history/transactions.js";
import { dayIn } from "../domain/shared/dates.js";
import { StartError } from "../errors.js";
import { sampleTimeZone } from "./calendar.js";
import { copyAssets } from "./copies.js";
import type { OrganizationRow } from "../domain/organizations/organizations.js";
import {
  findOrCreateEmpty,
  getOwner,
  newSample,
  readWorkspaces,
  setLastActive,
  seedOrganization,
  type NewSampleOrganization,
} from "./organization.js";
import { toSay, type SampleLanguage } from "./data/tables.js";
import type { InTransaction, OnProgress } from "./ledger.js";
import { storeFiles } from "./pictures.js";
import { tellSample, tellTiny } from "./tell.js";

export const sampleSizes = ["tiny", "demo", "large"] as const;
export type SampleSize = (typeof sampleSizes)[number];

export interface SampleRequest extends NewSampleOrganization {
  size: SampleSize;
  /** The reference day of all dates. Defaults to today. */
  asOf: string | undefined;
  /** Of the texts. Defaults to English. */
  language?: SampleLanguage;
  /** Adds assets that software must survive, for tests. */
  edgeCases?: boolean;
}

export interface Sample {
  organizationId: string;
  owner: { userId: string; email: string };
  assets: number;
  tasks: number;
  workspaces: number;
}

interface FilledSample {
  organizationId: string;
  userId: string;
  email: string;
  people: Record<"manager" | "technician" | "viewer", string>;
}

export interface SampleHooks {
  onProgress?: OnProgress;
  /** Called in the transaction that creates the sample. An error rolls everything back. */
  beforeCommit?: (made: FilledSample) => void;
}

/**
 * Fills a new organization with two years of work. Equal requests give equal data, except for random
 * ids and tokens. All or nothing.
 */
export async function createSample(
  db: Database,
  request: SampleRequest,
  { onProgress = () => {}, beforeCommit = () => {} }: SampleHooks = {},
): Promise<Sample> {
  const { organizationId, userId, email } = await commit({ db, caller: null }, async (tx) => {
    const organization = await findOrCreateEmpty(tx, request.organization);
    const here: InTransaction = (work) => work(tx);
    const made = await fillSample(here, { ...request, ...organization }, onProgress);
    beforeCommit(made);
    return made;
  });
  await db.query(analyzeSample);
  const counts = await db.one<Pick<Sample, "assets" | "tasks" | "workspaces">>(
    `SELECT (SELECT count(*)::int FROM assets WHERE organization_id = $1) AS assets,
       (SELECT count(*)::int FROM maintenance_tasks WHERE organization_id = $1) AS tasks,
       (SELECT count(*)::int FROM workspaces WHERE organization_id = $1) AS workspaces`,
    [organizationId],
  );
  return { organizationId, owner: { userId, email }, ...counts };
}

/** The embedded database doesn't gather statistics automatically, and PostgreSQL takes a while. */
export const analyzeSample = `ANALYZE assets, asset_state_periods, maintenance_plans, maintenance_tasks,
  task_checklist_items, history_events, workspaces, workspace_members, figures, asset_peaks`;

/** Fills an empty organization. People get addresses at `<slug>.example`. */
export async function fillSample(
  inTransaction: InTransaction,
  request: Omit<SampleRequest, "organization"> & OrganizationRow,
  onProgress: OnProgress,
): Promise<FilledSample> {
  const today = dayIn(sampleTimeZone);
  const asOf = request.asOf ?? today;
  if (asOf > today) {
    throw new StartError(`--as-of ${asOf} lies after today, ${today}.`);
  }
  const { size, edgeCases = false, language = "en" } = request;
  const isTiny = size === "tiny";
  const seeded = { asOf, isTiny, say: toSay(language) };
  const callers = await inTransaction((tx) => seedOrganization(tx, request, seeded));
  const owner = getOwner(callers);
  const { organizationId, userId, userEmail: email } = owner;
  const workspaces = await inTransaction((tx) => readWorkspaces(tx, organizationId, seeded.say));
  const cast = { asOf, people: callers, workspaces, hasEdgeCases: edgeCases, language };
  const { inventoryPrefix } = newSample;
  const { ledger, files } = (isTiny ? tellTiny : tellSample)({ ...cast, inventoryPrefix });
  await ledger.store(inTransaction, organizationId, onProgress);
  await inTransaction(async (tx) => {
    await storeFiles(tx, organizationId, files);
    await setLastActive(tx, callers, asOf);
    await tx.query(notificationsOfWork, [organizationId]);
    await tx.query(notificationsOfContractors, [organizationId]);
    await tx.query(activityOfContractors, [organizationId]);
    if (size === "large") await copyAssets(tx, organizationId, onProgress);
    await tx.query("SELECT recount_figures($1)", [organizationId]);
  });
  const idOf = (key: string) => callers.get(key)?.userId ?? userId;
  const people = { manager: userId, technician: idOf("pavel"), viewer: idOf("frank") };
  return { organizationId, userId, email, people };
}

const notificationsHead = `INSERT INTO notifications
    (organization_id, user_id, kind, subject, actor_user_id, created_at, queued_at, in_app, read_at)`;

/** Of open work that others assigned lately, as if the change had written them. Older ones are read. */
const notificationsOfWork = `${notificationsHead}
  SELECT t.organization_id, t.assigned_to_user_id, 'assigned', t.id, t.created_by, t.created_at,
    t.created_at, true,
    CASE WHEN t.created_at < max(t.created_at) OVER () - interval '4 days' THEN t.created_at END
  FROM maintenance_tasks t
  WHERE t.organization_id = $1 AND t.assigned_to_user_id <> t.created_by AND NOT t.hidden
    AND t.state IN ('scheduled', 'in_progress', 'on_hold')
    AND t.created_at > app_now() - interval '30 days'`;

/** Of work that contractors marked as done. */
const notificationsOfContractors = `${notificationsHead}
  SELECT l.organization_id, coalesce(t.assigned_to_user_id, l.created_by), 'contractor_done', l.id,
    NULL, l.done_at, l.done_at, true, NULL
  FROM task_links l JOIN maintenance_tasks t ON t.organization_id = $1 AND t.id = l.task_id
  WHERE l.organization_id = $1 AND l.done_at IS NOT NULL`;

/** Of the links that people shared with contractors. The activity log is sorted by time. */
const activityOfContractors = `INSERT INTO activity_log
    (organization_id, user_id, actor_name, type, details, created_at)
  SELECT l.organization_id, l.created_by, u.name, 'task_link_created',
    jsonb_build_object('task_id', t.id, 'task_number', t.task_number, 'contractor', l.contractor),
    l.created_at
  FROM task_links l JOIN users u ON u.id = l.created_by
    JOIN maintenance_tasks t ON t.organization_id = $1 AND t.id = l.task_id
  WHERE l.organization_id = $1`;
