import { liveAssetStates } from "../../server/src/db/entities/assets.js";
import { deleteOrganization } from "../../server/src/domain/organizations/organization-deletion.js";
import type { Connected, Json } from "../support/mcp.js";
import { openConfirmed } from "../support/second-factors.js";
import { planTable } from "../support/uploads.js";
import { findTold, rowsWith } from "./checks.js";
import { organizationOf, type World } from "./world.js";

/** An operation on an asset, its work, its workspace or a person, with everything attached. */
export interface Operation {
  /** Preparation that is not part of the operation. */
  prepare?: (world: World) => Promise<unknown>;
  act: (world: World) => Promise<unknown>;
  /** The owner's app performs it, so it can be undone and redone. */
  isUndone?: boolean;
  /** Tables from which it deletes rows. All other tables must keep theirs. */
  loses?: string[];
  /** The organization or its people are gone afterwards. */
  isLast?: boolean;
}

type Act = Operation["act"];

/** Throws if the operation is refused. */
async function does(by: Connected, tool: string, args: Json): Promise<Json> {
  const { isError, content, structuredContent } = await by.call(tool, args);
  if (isError === true) throw new Error(`${tool} is refused: ${content[0]?.text ?? ""}`);
  return structuredContent;
}

/** May be refused, but must not fail with an internal error. */
async function tries(by: Connected, tool: string, args: Json): Promise<void> {
  const { content, structuredContent } = await by.call(tool, args);
  const error = structuredContent["error"] as { code: string } | undefined;
  if (error?.code === "internal_error") throw new Error(`${tool}: ${content[0]?.text ?? ""}`);
}

/** Counts files except drawn signatures. */
async function countUnsigned({ current, owner }: World): Promise<number> {
  const { count } = await current.db.one<{ count: number }>(
    `SELECT count(*)::int AS count FROM files f WHERE organization_id = $1
       AND NOT EXISTS (SELECT FROM task_checklist_items i WHERE i.drawing = f.id)`,
    [owner.member.organizationId],
  );
  return count;
}

const updates =
  (args: Json): Act =>
  ({ app, pump }) =>
    does(app, "update_asset", { asset_id: pump, ...args });

const states =
  (args: Json): Act =>
  ({ app, pump }) =>
    does(app, "update_asset_state", { asset_id: pump, ...args });

const retires: Act = ({ owner, pump }) =>
  does(owner, "update_asset_state", { asset_id: pump, state: "deleted", reason: "sold" });

/** Completes started work, because only work that hasn't started moves to another asset. */
const finishes: Act = async (world) => {
  const begun = await world.current.db.query<{ id: string }>(
    `SELECT id FROM maintenance_tasks WHERE organization_id = $1 AND asset_id = $2
       AND state IN ('in_progress', 'on_hold')`,
    [organizationOf(world), world.pump],
  );
  for (const { id } of begun) {
    await does(world.owner, "update_maintenance_task", { task_id: id, state: "completed" });
  }
};

const mergesBy = (by: Connected, { pump, twin }: World) =>
  does(by, "update_asset_state", { asset_id: pump, state: "deleted", merged_into: twin });

const merges: Act = async (world) => {
  await finishes(world);
  await mergesBy(world.owner, world);
};

/** Updates all open work on the asset, one task at a time. */
const works =
  (args: (world: World) => Json): Act =>
  async (world) => {
    const { current, app, pump } = world;
    const tasks = await current.db.query<{ id: string }>(
      `SELECT id FROM maintenance_tasks WHERE organization_id = $1 AND asset_id = $2
         AND state NOT IN ('completed', 'cancelled') ORDER BY task_number`,
      [organizationOf(world), pump],
    );
    for (const { id } of tasks) {
      await tries(app, "update_maintenance_task", { task_id: id, ...args(world) });
    }
  };

const undoable: Record<string, Act> = {
  update: updates({
    ...{ name: "Better pump", location: "Bay 2", criticality: "critical", category: "Machines" },
    ...{ description: "x".repeat(900), purchase_cost: 5, add_tags: ["new"], note: "Changed" },
  }),
  assign: ({ app, pump, lead }) =>
    does(app, "update_asset", { asset_id: pump, assigned_to_user_id: lead.userId }),
  ...Object.fromEntries(
    liveAssetStates
      .filter((state) => state !== "available")
      .map((state) => [`state ${state}`, states({ state })]),
  ),
  move: ({ app, pump, office }) =>
    does(app, "update_asset", { asset_id: pump, workspace_id: office }),
  "take out of its workspace": updates({ clear_fields: ["workspace_id"] }),
  "re-parent": ({ app, pump, twin }) =>
    does(app, "update_asset", { asset_id: pump, parent_asset_id: twin }),
  "make it a parent": ({ app, pump, twin }) =>
    does(app, "update_asset", { asset_id: twin, parent_asset_id: pump }),
  "read its meters": updates({ meter_readings: { h: 300, cycles: 4 } }),
  "bulk update": ({ app, pump, twin }) =>
    does(app, "update_asset", { asset_ids: [pump, twin], location: "Yard", add_tags: ["both"] }),
  "bulk move": ({ app, pump, twin, office }) =>
    does(app, "update_asset", { asset_ids: [pump, twin], workspace_id: office }),
  "bulk retire": ({ app, pump, twin }) =>
    does(app, "update_asset_state", { asset_ids: [pump, twin], state: "deleted", reason: "sold" }),
  retire: states({ state: "deleted", reason: "sold" }),
  "merge another into it": ({ app, pump, twin }) =>
    does(app, "update_asset_state", { asset_id: twin, state: "deleted", merged_into: pump }),
  "add work and a part": async ({ app, pump }) => {
    await does(app, "create_asset", { name: "Part", parent_asset_id: pump });
    const recurrence = { every: 1, unit: "month" };
    const work = { asset_id: pump, title: "New work", due_date: "2027-01-31", checklist: ["Step"] };
    await does(app, "create_maintenance_task", { ...work, recurrence });
    await does(app, "create_maintenance_task", { ...work, recurrence, completed: {} });
  },
  "update work": works(({ lead }) => ({
    ...{ title: "Other work", due_date: "2027-02-28", assigned_to_user_id: lead.userId },
    ...{ priority: "urgent", description: "More of it", estimated_minutes: 20 },
  })),
  "start work": works(() => ({ state: "in_progress" })),
  "put work on hold": works(() => ({ state: "on_hold", comment: "Waiting" })),
  "complete work": works(() => ({ state: "completed", labor_cost: 5, actual_minutes: 20 })),
  "cancel work": works(() => ({ state: "cancelled" })),
  "move work": works(({ twin }) => ({ asset_id: twin })),
  "work repeats": works(() => ({
    due_date: "2027-01-31",
    recurrence: { every: 1, unit: "month" },
  })),
  "work repeats by usage": works(() => ({ recurrence: { every_usage: 40, meter: "h" } })),
  "work repeats no more": works(() => ({ clear_fields: ["recurrence"] })),
};

/** Tables whose rows are deleted permanently with an asset. Rows of other records are kept. */
const ofAsset = [
  ...["assets", "asset_state_periods", "maintenance_tasks", "maintenance_plans", "history_events"],
  ...["task_checklist_items", "meters", "meter_readings", "files", "file_pieces", "asset_peaks"],
  ...["problem_reports", "round_findings", "change_set_rows", "comments", "task_links"],
];

const ofMember = [
  ...[
    "workspace_members",
    "absences",
    "calendar_feeds",
    "oauth_access_tokens",
    "oauth_refresh_tokens",
  ],
  ...["oauth_authorization_codes", "change_sets", "change_set_rows", "import_pieces"],
];
const ofAccount = [...ofMember, "notification_choices", "oauth_connections", "saved_views"];

async function forceDelete(by: Connected, asset_id: string, number: string): Promise<void> {
  const args = { asset_id, confirm_inventory_number: number };
  await does(by, "force_delete_asset", { ...args, dry_run: true });
  await does(by, "force_delete_asset", args);
}

const removes =
  (args: (world: World) => Json): Act =>
  (world) =>
    does(world.owner, "remove_user", { user_id: world.mo.member.userId, ...args(world) });

async function sends({ pages }: World, address: string, fields: Record<string, string>) {
  const answer = await pages.submitForm(await pages.get(address), fields);
  if (answer.statusCode !== 303) throw new Error(`${address}: ${answer.statusCode} ${answer.body}`);
}

/** Moves everything out so the workspace can be deleted. */
const empties: Act = async (world) => {
  const { current, owner, office, plant } = world;
  const inPlant = [organizationOf(world), plant];
  const find = (sql: string): Promise<{ id: string }[]> => current.db.query(sql, inPlant);
  const assets = await find(
    `SELECT id FROM assets WHERE organization_id = $1 AND workspace_id = $2
     ORDER BY state = 'deleted', id`,
  );
  for (const { id } of assets) {
    const row = await current.db.maybe<{ state: string }>(
      "SELECT state FROM assets WHERE id = $1",
      [id],
    );
    const move = { asset_id: id, workspace_id: office };
    if (row?.state === "deleted") {
      const states = { asset_id: id, state: "available" };
      await does(owner, "update_asset_state", states);
      await does(owner, "update_asset", move);
      await does(owner, "update_asset_state", { ...states, state: "deleted" });
    } else await does(owner, "update_asset", move);
  }
  const tasks = await find(
    "SELECT id FROM maintenance_tasks WHERE organization_id = $1 AND workspace_id = $2",
  );
  for (const { id } of tasks) {
    await does(owner, "update_maintenance_task", { task_id: id, workspace_id: office });
  }
};

/** Importing an export must change nothing. */
async function imports(world: World, list: string, kind: string): Promise<void> {
  const { current, pages } = world;
  for (const type of ["csv", "xlsx"]) {
    const file = await pages.get(`${list}.${type}`);
    if (file.statusCode !== 200) throw new Error(`${list}.${type}: ${file.statusCode}`);
    const content = type === "csv" ? file.body : file.rawPayload;
    const plan = await planTable(current.app, pages, { name: `list.${type}`, content, kind });
    const [told = plan.body.slice(0, 500)] =
      /\d+ new, \d+ changed, \d+ unchanged, \d+ wrong/.exec(plan.body) ?? [];
    if (!/^0 new, 0 changed, \d+ unchanged, 0 wrong$/.test(told)) {
      throw new Error(`${list}.${type} imported again: ${told}`);
    }
  }
}

const final: Record<string, Operation> = {
  merge: { prepare: finishes, act: (world) => mergesBy(world.app, world), isUndone: true },
  restore: { prepare: retires, act: states({ state: "available" }), isUndone: true },
  "restore what was merged": { prepare: merges, act: states({ state: "in_use" }), isUndone: true },
  force_delete_asset: { act: ({ owner, pump }) => forceDelete(owner, pump, "P-1"), loses: ofAsset },
  "permanent deletion on its page": {
    act: ({ pages, ...world }) =>
      sends({ pages, ...world }, `/assets/${world.pump}/delete`, {
        confirm_inventory_number: "P-1",
      }),
    loses: ofAsset,
  },
  "force_delete_asset when retired": {
    prepare: retires,
    act: ({ owner, pump }) => forceDelete(owner, pump, "P-1"),
    loses: ofAsset,
  },
  "force_delete_asset of what was merged": {
    prepare: merges,
    act: ({ owner, pump }) => forceDelete(owner, pump, "P-1"),
    loses: ofAsset,
  },
  "force_delete_asset of what it was merged into": {
    prepare: merges,
    act: ({ owner, twin }) => forceDelete(owner, twin, "P-2"),
    loses: ofAsset,
  },
  delete_workspace: {
    prepare: empties,
    act: ({ owner, plant }) => does(owner, "delete_workspace", { workspace_id: plant }),
    loses: [
      ...["workspaces", "workspace_members", "place_labels", "problem_reports"],
      ...["files", "file_pieces"],
    ],
  },
  "remove from the workspace": {
    act: removes(({ plant }) => ({ workspace_id: plant })),
    loses: ["workspace_members"],
  },
  "remove from the organization": {
    act: removes(() => ({ from_organization: true })),
    loses: ofMember,
  },
  "remove, and reassign": {
    act: removes(({ lead }) => ({ from_organization: true, reassign_to_user_id: lead.userId })),
    loses: ofMember,
  },
  "make them a viewer": {
    act: (world) =>
      sends(world, `/settings/members/${world.mo.member.userId}/workspaces/${world.plant}`, {
        workspace_role: "viewer",
      }),
  },
  "make them an admin": {
    act: (world) =>
      sends(world, `/settings/members/${world.mo.member.userId}/role?role=admin`, {
        organization_role: "admin",
      }),
  },
  "erase person": {
    act: async (world) => {
      const { name, email } = world.mo.member;
      const args = ["person", "erase", "--email", email, "--yes"];
      const others = await countUnsigned(world);
      const { code, errors } = await world.command(args);
      if (code !== 0) throw new Error(errors.join());
      if ((await countUnsigned(world)) !== others) throw new Error("More than signatures is gone.");
      for (const word of [name, email]) {
        const found = await rowsWith(world, word);
        if (found.length > 0) throw new Error(`${word} is still in ${found.join(", ")}`);
      }
    },
    loses: [
      ...[...ofAccount, "invites", "confirmations", "round_findings", "provider_identities"],
      ...["files", "file_pieces"],
    ],
  },
  export: {
    act: async ({ pages, owner }) => {
      for (const list of ["/assets", "/tasks", "/settings/members", "/workspaces"]) {
        for (const type of ["csv", "xlsx"]) {
          const { statusCode, rawPayload } = await pages.get(`${list}.${type}`);
          if (statusCode !== 200 || rawPayload.length < 20) throw new Error(`${list}.${type}`);
        }
      }
      const address = "/settings/organization/export";
      const form = await openConfirmed(pages, address, { password: owner.member.password });
      const { statusCode } = await pages.submitForm(form, {});
      if (statusCode >= 400) throw new Error(`export: ${statusCode}`);
    },
  },
  "export and import": {
    act: async (world) => {
      await imports(world, "/assets", "assets");
      await imports(world, "/tasks", "tasks");
      await imports(world, "/workspaces", "workspaces");
      await imports(world, "/settings/members", "people");
    },
  },
  "delete organization": {
    act: async (world) => {
      const id = organizationOf(world);
      await deleteOrganization(world.current.db, id, () => undefined);
      const left = await findTold(world.current.db, id);
      if (left.length > 0) throw new Error(`rows are left in ${left.join(", ")}`);
    },
    isLast: true,
  },
};

export const operations: Record<string, Operation> = {
  ...Object.fromEntries(
    Object.entries(undoable).map(([name, act]) => [name, { act, isUndone: true }]),
  ),
  ...final,
};
