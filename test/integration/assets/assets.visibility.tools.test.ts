import { beforeAll, describe, expect, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { before } from "../../support/statements.js";

interface Changed {
  asset: { id: string; inventory_number: string; version: number };
  changed: { field: string; from?: unknown; to?: unknown }[];
}

interface Listed {
  assets: { id: string; name: string; assigned_to_user_id?: string }[];
  total_count: number;
  next_cursor?: string;
}

interface Details {
  recent_history: { type: string; changes?: Changed["changed"] }[];
}

const create = async (person: Connected, fields: Json) =>
  (await person.ok<Changed>("create_asset", fields)).asset;
const update = (person: Connected, id: string, fields: Json) =>
  person.ok<Changed>("update_asset", { asset_id: id, ...fields });
const list = (person: Connected, filters: Json = {}) => person.ok<Listed>("list_assets", filters);
const idsOf = ({ assets }: Listed) => assets.map(({ id }) => id);

describe("visibility of places and parents in changes", () => {
  const testApp = useApp();
  let owner: Connected;
  let member: Connected;
  let frame: { id: string };

  beforeAll(async () => {
    owner = await connect(testApp());
    for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    member = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
    frame = await create(owner, { name: "Secret frame", workspace_id: "Vault" });
  });

  const history = async (person: Connected, id: string) =>
    (await person.ok<Details>("get_asset", { asset_id: id })).recent_history
      .filter(({ type }) => type === "asset_moved")
      .flatMap(({ changes }) => changes ?? []);

  test("omits values a member can't see from the history and keeps the rest", async () => {
    const { id } = await create(owner, { name: "Pump", workspace_id: "Vault" });
    await update(owner, id, { workspace_id: "Lab", parent_asset_id: frame.id });

    const full = await history(owner, id);
    const partial = await history(member, id);

    const place = member.member.workspaceId;
    expect(full).toEqual([
      { field: "workspace_id", from: expect.stringMatching(/^wsp_/) as unknown, to: place },
      { field: "workspace_name", from: "Vault", to: "Lab" },
      { field: "parent_asset_id", to: frame.id },
      { field: "parent_asset", to: "Secret frame" },
    ]);
    expect(partial).toEqual([
      { field: "workspace_id", to: place },
      { field: "workspace_name", to: "Lab" },
      { field: "parent_asset_id" },
      { field: "parent_asset" },
    ]);
  });

  test("TEN-16: get_asset hides changes when the asset moves out of view mid-read", async () => {
    const { id } = await create(owner, { name: "Fan", workspace_id: "Lab" });
    before(/AS activity FROM/, 1, async () => {
      vi.restoreAllMocks();
      await update(owner, id, { workspace_id: "Vault", note: "To the secret site" });
    });

    const answer = await member.call("get_asset", { asset_id: id });

    expect(JSON.stringify(answer)).not.toContain("secret site");
    expect(answer.isError).toBe(true);
  });

  test("TEN-19 the history hides changes when the asset moves out of view mid-read", async () => {
    const { id, inventory_number } = await create(owner, { name: "Lathe", workspace_id: "Lab" });
    before(/AS position/, 1, async () => {
      vi.restoreAllMocks();
      await update(owner, id, { workspace_id: "Vault", note: "To the secret site" });
    });

    const answer = await member.call("search_asset_history", { asset_id: inventory_number });

    expect(JSON.stringify(answer)).not.toContain("secret site");
    expect(answer.structuredContent).toMatchObject({ events: [] });
  });

  test("TEN-19 failure and cost rankings hide an asset moved out of view mid-read", async () => {
    const { id } = await create(owner, { name: "Crane", workspace_id: "Lab" });
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: id, title: "Mend", type: "corrective" },
    });
    const done = { state: "completed", labor_cost: 9 };
    await owner.ok("update_maintenance_task", { task_id: task.id, ...done });
    before(/top\.failures|WITH top AS/, 1, async () => {
      vi.restoreAllMocks();
      await update(owner, id, { workspace_id: "Vault", name: "Secret crane" });
    });

    const answer = await member.call("get_organization_stats", {});

    expect(answer.isError).not.toBe(true);
    expect(JSON.stringify(answer)).not.toContain("Secret crane");
  });

  test("TEN-16: get_maintenance_task hides steps and files when the task moves out of view", async () => {
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ workspace_id: "Lab", title: "Sweep", checklist: ["Stairs"] },
    });
    before(/FROM task_checklist_items/, 1, async () => {
      vi.restoreAllMocks();
      const { db } = testApp();
      await db.query(
        `UPDATE maintenance_tasks t SET workspace_id = w.id FROM workspaces w
         WHERE t.id = $1 AND w.organization_id = t.organization_id AND w.name = 'Vault'`,
        [task.id],
      );
      await db.query("UPDATE task_checklist_items SET label = 'Secret stairs' WHERE task_id = $1", [
        task.id,
      ]);
      await db.query(
        `INSERT INTO files (organization_id, id, task_id, name, type, size, storage)
         SELECT organization_id, 'file_' || id, id, 'secret.txt', 'text/plain', 1, 'database'
         FROM maintenance_tasks WHERE id = $1`,
        [task.id],
      );
    });

    const answer = await member.call("get_maintenance_task", { task_id: task.id });

    expect(JSON.stringify(answer)).toContain("Sweep");
    expect(JSON.stringify(answer)).not.toMatch(/secret/i);
  });

  test("an update doesn't reveal a former parent the member can't see", async () => {
    const { id } = await create(owner, { name: "Motor", workspace_id: "Lab" });
    const base = await create(owner, { name: "Base", workspace_id: "Lab" });
    await update(owner, id, { parent_asset_id: frame.id });

    const { changed } = await update(member, id, { parent_asset_id: base.id });

    expect(changed).toEqual([
      { field: "parent_asset_id", to: base.id },
      { field: "parent_asset", to: "Base" },
    ]);
  });
});

describe("list_assets filters", () => {
  const testApp = useApp();

  async function start() {
    const owner = await connect(testApp());
    for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    const join = (workspace: string) =>
      connect(testApp(), { organization, role: "member", workspace });
    return { owner, member: await join("Lab"), stranger: await join("Vault") };
  }

  test("finds assets by the id of an assignee who has left", async () => {
    const { owner, member, stranger } = await start();
    const assign = async (person: Connected, name: string) =>
      create(owner, { name, assigned_to_user_id: person.member.userId });
    const first = await assign(member, "Drill");
    const second = await assign(stranger, "Saw");
    const { db } = testApp();
    await db.query("UPDATE users SET deactivated_at = now() WHERE id = $1", [member.member.userId]);
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      stranger.member.userId,
    ]);

    const filter = (person: Connected) =>
      list(owner, { assigned_to_user_id: person.member.userId });

    expect(idsOf(await filter(member))).toEqual([first.id]);
    expect(idsOf(await filter(stranger))).toEqual([second.id]);
  });

  test("lets a member filter only by assignees shown in visible rows", async () => {
    const { owner, member, stranger } = await start();
    const assigned_to_user_id = stranger.member.userId;
    await create(owner, { name: "Safe", workspace_id: "Vault", assigned_to_user_id });

    const refused = await member.refused("list_assets", { assigned_to_user_id });
    const { id } = await create(owner, { name: "Trolley", assigned_to_user_id });
    const listed = await list(member, { assigned_to_user_id });

    expect(refused.message).toContain("User not found");
    expect(idsOf(listed)).toEqual([id]);
  });

  test('treats "None" in any letter case as none', async () => {
    const { owner } = await start();
    const loose = await create(owner, { name: "Loose" });
    await create(owner, { name: "Held", workspace_id: "Lab", assigned_to_user_id: "me" });

    expect(idsOf(await list(owner, { workspace_id: "None" }))).toEqual([loose.id]);
    expect(idsOf(await list(owner, { assigned_to_user_id: "NONE" }))).toEqual([loose.id]);
  });
});

describe("assets sorted by name", () => {
  const testApp = useApp();

  test("sorts naturally across pages, ignoring case and leading zeros", async () => {
    const owner = await connect(testApp());
    for (const name of [
      ...["Pump 10", "pump 2", "Pump 007", "cherry", "Banana", "apple", "Date", "BANANA"],
    ]) {
      await create(owner, { name });
    }

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Listed = await list(owner, { limit: 1, ...(cursor && { cursor }) });
      seen.push(...page.assets.map(({ name }) => name.toLowerCase()));
      cursor = page.next_cursor;
    } while (cursor !== undefined);

    expect(seen).toEqual([
      ...["apple", "banana", "banana", "cherry", "date", "pump 2", "pump 007", "pump 10"],
    ]);
  });

  test.each(["assets_name_idx", "assets_workspace_id_name_idx"])(
    "%s indexes the names in sort order",
    async (name) => {
      const row = await testApp().db.maybe<{ indexdef: string }>(
        "SELECT indexdef FROM pg_indexes WHERE indexname = $1",
        [name],
      );
      expect(row?.indexdef).toContain("name_key, id)");
    },
  );
});

describe("expected_version", () => {
  const testApp = useApp();

  test("rejects a version that doesn't exist yet", async () => {
    const owner = await connect(testApp());
    const { id } = await create(owner, { name: "Pump" });
    await update(owner, id, { name: "Pump 2" });

    const error = await owner.refused("update_asset", {
      asset_id: id,
      name: "Pump 3",
      expected_version: 99,
    });

    expect(error).toMatchObject({
      code: "conflict",
      message:
        "Conflict: the asset is at version 2, not 99. Read it again with get_asset, then repeat with expected_version 2.",
      field: "expected_version",
      details: { version: 2 },
    });
  });
});

describe("inventory number already taken", () => {
  const testApp = useApp();

  test("TEN-05: explains a taken number only to people who can see its asset", async () => {
    const owner = await connect(testApp());
    for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    const join = { organization, role: "member", workspace: "Lab" } as const;
    const admin = await connect(testApp(), { ...join, workspaceRole: "admin" });
    const add = (workspace_id: string, inventory_number: string) =>
      create(owner, { name: "Pump", workspace_id, inventory_number });
    const [used, changed, gone] = ["V-1", "V-2", "V-3"] as const;
    await add("Vault", used);
    await update(owner, (await add("Vault", changed)).id, { inventory_number: "V-4" });
    const asset_id = (await add("Vault", gone)).id;
    await owner.ok("force_delete_asset", { asset_id, confirm_inventory_number: gone });
    await update(owner, (await add("Lab", "L-1")).id, { inventory_number: "L-2" });

    const refuse = async (inventory_number: string) =>
      (await admin.refused("create_asset", { name: "New", workspace_id: "Lab", inventory_number }))
        .message;

    expect(await refuse(used)).toContain("by an asset you can't see");
    expect(await refuse(changed)).toBe(await refuse(used));
    expect(await refuse(gone)).toBe(await refuse(used));
    expect(await refuse("L-1")).toContain("Another asset had it before its number was changed");
  });
});

describe("list cursor", () => {
  const testApp = useApp();

  test("TEN-05: is rejected after an over-long name when its asset is now hidden", async () => {
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Seen" });
    await owner.ok("create_workspace", { name: "Hidden" });
    const join = { organization: owner.member.organization, role: "member" } as const;
    const member = await connect(testApp(), { ...join, workspace: "Seen" });
    const name = "泵".repeat(200);
    const { id } = await create(owner, { name, workspace_id: "Seen" });
    await create(owner, { name: "龍", workspace_id: "Seen" });
    const { next_cursor: cursor = "" } = await list(member, { limit: 1 });
    expect((await list(member, { limit: 1, cursor })).assets).toHaveLength(1);

    await owner.ok("update_asset", { asset_id: id, workspace_id: "Hidden", name: "Merger" });

    const refusal = await member.refused("list_assets", { limit: 1, cursor });
    expect(refusal).toMatchObject({ code: "validation_failed", field: "cursor" });
  });
});
