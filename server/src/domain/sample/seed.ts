import type { DataSource, EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import { dayIn } from "../values/dates.js";
import { sampleTimeZone } from "./calendar.js";
import { enlargeSample } from "./enlarge.js";
import { planSample } from "./plan.js";
import { replay, type OnProgress } from "./replay.js";
import { seedInvites } from "./seed-invites.js";
import { seedPeople, settlePeople, type NewPeople } from "./seed-people.js";

export const sampleSizes = ["tiny", "demo", "large"] as const;
export type SampleSize = (typeof sampleSizes)[number];

export interface SampleRequest extends NewPeople {
  size: SampleSize;
  /** The day that all dates lie around; today when left out. */
  asOf: string | undefined;
}

export interface Sample {
  organizationId: string;
  owner: { userId: string; email: string };
  assets: number;
  tasks: number;
  workspaces: number;
}

export interface SampleHooks {
  onProgress?: OnProgress;
  /** Called in the transaction that makes the sample: what it throws undoes everything. */
  beforeCommit?: (owner: Sample["owner"] & { organizationId: string }) => void;
}

/**
 * Fills a new organization by doing what its people did in two years, through the same functions
 * as the tools. The same request gives the same data, random ids and tokens aside. It is there as a
 * whole or not at all; only large is multiplied from it afterwards, step by step.
 */
export async function createSample(
  db: DataSource,
  request: SampleRequest,
  { onProgress = () => {}, beforeCommit = () => {} }: SampleHooks = {},
): Promise<Sample> {
  const owner = await db.transaction(async (tx) => {
    const made = await seedSample(tx, request, onProgress);
    beforeCommit(made);
    return made;
  });
  const { organizationId, ...person } = owner;
  if (request.size === "large") await enlargeSample(db, organizationId, onProgress);
  for (const table of analyzed) await db.query(`ANALYZE ${table}`);
  const [counts] = await db.query<Pick<Sample, "assets" | "tasks" | "workspaces">[]>(
    `SELECT (SELECT count(*)::int FROM assets WHERE organization_id = $1) AS assets,
       (SELECT count(*)::int FROM maintenance_tasks WHERE organization_id = $1) AS tasks,
       (SELECT count(*)::int FROM workspaces WHERE organization_id = $1) AS workspaces`,
    [organizationId],
  );
  if (counts === undefined) throw new Error("The sample organization is gone.");
  return { organizationId, owner: person, ...counts };
}

/** The embedded database gathers no statistics by itself, and elsewhere it takes a while. */
const analyzed = [
  "assets",
  "asset_state_periods",
  "maintenance_plans",
  "maintenance_tasks",
  "task_checklist_items",
  "history_events",
  "workspaces",
  "workspace_members",
];

async function seedSample(
  tx: EntityManager,
  request: SampleRequest,
  onProgress: OnProgress,
): Promise<Sample["owner"] & { organizationId: string }> {
  const today = dayIn(sampleTimeZone);
  const asOf = request.asOf ?? today;
  if (asOf > today) {
    throw new AppError("validation_failed", `--as-of ${asOf} lies after today, ${today}.`);
  }
  const plan = planSample(request.size === "tiny" ? "tiny" : "demo", asOf);
  const { owner, callers } = await seedPeople(tx, plan, request);
  await replay(tx, callers, plan.actions, onProgress);
  if (request.size !== "tiny") await seedInvites(tx, callers, plan);
  await settlePeople(tx, plan, { owner, callers });
  const { organizationId, userId, userEmail: email } = owner;
  return { organizationId, userId, email };
}
