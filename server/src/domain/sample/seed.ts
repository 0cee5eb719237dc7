import { randomUUID } from "node:crypto";
import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import { createAccount, findPersonByEmail } from "../accounts.js";
import { changeAssetState } from "../asset-states.js";
import { updateAsset } from "../asset-updates.js";
import { createAsset, type NewAsset } from "../assets.js";
import type { Caller } from "../caller.js";
import { dayIn } from "../dates.js";
import { addMember, createOrganization, findOrganizationByName } from "../organizations.js";
import { createWorkspace } from "../workspaces.js";
import { createRandom, type Random } from "./random.js";
import {
  sampleCurrency,
  sampleKinds,
  sampleOddities,
  samplePeople,
  samplePrefix,
  sampleTimeZone,
  sampleWorkspaces,
  type SampleKind,
} from "./story.js";

export const sampleSizes = ["tiny", "demo", "large"] as const;
export type SampleSize = (typeof sampleSizes)[number];

export interface SampleRequest {
  organization: string;
  size: SampleSize;
  /** The day that all dates lie around; today when left out. */
  asOf: string | undefined;
  /** Of every account that is made. */
  password: string;
  baseUrl: string;
}

export interface Sample {
  organizationId: string;
  owner: { userId: string; email: string };
  assets: number;
  workspaces: number;
}

/** How many of each kind of asset a size has. */
const copies: Record<SampleSize, number> = { tiny: 0, demo: 4, large: 400 };
const seedNumber = 20_261_121;

/**
 * Fills a new organization by doing what its people would do, through the same functions as the
 * tools: states, versions and history agree. The same request gives the same data on the same day.
 */
export async function seedSample(tx: EntityManager, request: SampleRequest): Promise<Sample> {
  const today = dayIn(sampleTimeZone);
  const asOf = request.asOf ?? today;
  if (asOf > today) {
    throw new AppError("validation_failed", `--as-of ${asOf} lies after today, ${today}.`);
  }
  const { caller, colleagues } = await seedPeople(tx, request);
  const places = request.size === "tiny" ? sampleWorkspaces.slice(0, 1) : sampleWorkspaces;
  const workspaceIds = new Map<string, string>();
  for (const place of places) {
    const { workspace } = await createWorkspace(tx, caller, place);
    workspaceIds.set(place.name, workspace.id);
  }
  await placeColleagues(tx, caller, colleagues, workspaceIds);
  const random = createRandom(seedNumber);
  const planned =
    request.size === "tiny"
      ? sampleKinds.filter(({ workspaces }) => workspaces[0] === "Main Facility").slice(0, 3)
      : Array.from({ length: copies[request.size] }, () => sampleKinds).flat();
  for (const [index, kind] of planned.entries()) {
    await seedAsset(tx, caller, toAsset(kind, { index, asOf, random }), { index, asOf, random });
  }
  const oddities = request.size === "tiny" ? [] : sampleOddities;
  for (const { inventoryNumber, workspace, ...odd } of oddities) {
    await createAsset(tx, caller, {
      ...odd,
      inventory_number: inventoryNumber,
      workspace_id: workspace,
    });
  }
  return {
    organizationId: caller.organizationId,
    owner: { userId: caller.userId, email: caller.userEmail },
    assets: planned.length + oddities.length,
    workspaces: places.length,
  };
}

interface Colleague {
  userId: string;
  workspaces: Record<string, string>;
}

async function seedPeople(
  tx: EntityManager,
  request: SampleRequest,
): Promise<{ caller: Caller; colleagues: Colleague[] }> {
  const organization = await findOrCreateEmpty(tx, request.organization);
  const colleagues: Colleague[] = [];
  let caller: Caller | undefined;
  for (const { key, name, role, workspaces } of samplePeople) {
    if (request.size === "tiny" && caller !== undefined) break;
    const email = `${key}@${organization.slug}.example`;
    const person =
      (await findPersonByEmail(tx, email)) ??
      (await createAccount(tx, { email, name, password: request.password }));
    const userId = person.id;
    await addMember(tx, { organizationId: organization.id, userId, userName: name, role });
    colleagues.push({ userId, workspaces: workspaces ?? {} });
    caller ??= {
      userId,
      userName: name,
      userEmail: email,
      organizationId: organization.id,
      organizationName: organization.name,
      organizationRole: role,
      timeZone: sampleTimeZone,
      currency: sampleCurrency,
      source: "import",
      requestId: `req_${randomUUID()}`,
      baseUrl: request.baseUrl,
    };
  }
  if (caller === undefined) throw new Error("The sample story has no people.");
  return { caller, colleagues };
}

async function findOrCreateEmpty(tx: EntityManager, name: string) {
  const found = await findOrganizationByName(tx, name);
  if (found === undefined) {
    return createOrganization(tx, {
      name,
      timeZone: sampleTimeZone,
      currency: sampleCurrency,
      inventoryPrefix: samplePrefix,
    });
  }
  const rows: unknown[] = await tx.query(
    `SELECT 1 FROM organization_members WHERE organization_id = $1
     UNION ALL SELECT 1 FROM workspaces WHERE organization_id = $1
     UNION ALL SELECT 1 FROM assets WHERE organization_id = $1 LIMIT 1`,
    [found.id],
  );
  if (rows.length === 0) return found;
  throw new AppError(
    "conflict",
    `The organization "${found.name}" is not empty; sample data goes into a new one. Choose another name.`,
  );
}

async function placeColleagues(
  tx: EntityManager,
  caller: Caller,
  colleagues: readonly Colleague[],
  workspaceIds: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { userId, workspaces } of colleagues) {
    for (const [name, role] of Object.entries(workspaces)) {
      await tx.query(
        `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, added_by)
         VALUES ($1, $2, $3, $4, $5)`,
        [workspaceIds.get(name), userId, caller.organizationId, role, caller.userId],
      );
    }
  }
}

interface Chance {
  index: number;
  asOf: string;
  random: Random;
}

function toAsset(kind: SampleKind, { index, asOf, random }: Chance): NewAsset {
  const copy = Math.floor(index / sampleKinds.length) + 1;
  const bought = addDays(asOf, -random.between(30, 2_000));
  const maker = random.pick(kind.makers);
  return {
    name: `${kind.name} ${copy}`,
    workspace_id: random.pick(kind.workspaces),
    category: kind.category,
    manufacturer: maker,
    model: `${kind.model}-${random.between(1, 9) * 100}`,
    serial_number: `${kind.model}${String(10_000 + index * 7)}`,
    location: random.pick(kind.place),
    criticality: kind.criticality,
    condition: random.pick(["excellent", "good", "good", "fair", "poor"]),
    purchase_date: bought,
    purchase_cost: random.between(...kind.cost),
    warranty_expires_on: addDays(bought, kind.yearsOfWarranty * 365),
    in_service_date: addDays(bought, 14),
    tags: kind.category === "Safety" ? ["yearly check"] : [],
  };
}

/** Registers the asset and lets a little happen to it, so that there is a history to read. */
async function seedAsset(
  tx: EntityManager,
  caller: Caller,
  planned: NewAsset,
  { index, random }: Chance,
): Promise<void> {
  const { asset } = await createAsset(tx, caller, planned);
  const fate = random.between(1, 100);
  if (index % 11 === 3) {
    const note = "Found on the yearly round.";
    await updateAsset(tx, caller, asset.id, { location: "Goods entrance", note });
  }
  if (fate <= 55) await changeAssetState(tx, caller, asset.id, { state: "in_use" });
  else if (fate <= 63) {
    const note = "Waiting for a spare part.";
    await changeAssetState(tx, caller, asset.id, { state: "out_of_service", note });
  } else if (fate <= 70) await changeAssetState(tx, caller, asset.id, { state: "in_maintenance" });
  else if (fate <= 78) await changeAssetState(tx, caller, asset.id, { state: "stored" });
  else if (fate <= 84) {
    const reason = random.pick(["scrapped", "sold", "lost"] as const);
    await changeAssetState(tx, caller, asset.id, { state: "deleted", reason });
  }
}

function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
