import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Found {
  events: {
    id: string;
    type: string;
    asset_id?: string;
    task_id?: string;
    actor: string;
    changes?: { field: string; from?: string; to?: string }[];
  }[];
  total_count: number;
}

const search = (person: Connected, filters: Json = {}) =>
  person.ok<Found>("search_asset_history", filters);
const create = async (person: Connected, fields: Json) =>
  (await person.ok<{ asset: { id: string } }>("create_asset", fields)).asset.id;
const move = (person: Connected, id: string, fields: Json) =>
  person.ok("update_asset", { asset_id: id, ...fields });
const countOf = async (person: Connected, filters: Json) => {
  const { events, total_count } = await search(person, { limit: 100, ...filters });
  expect(events).toHaveLength(total_count);
  return total_count;
};

describe("history visibility", () => {
  const testApp = useApp();
  let owner: Connected;
  let viewer: Connected;
  const ids = new Map<string, string>();
  const idOf = (name: string) => ids.get(name) ?? "";

  beforeAll(async () => {
    owner = await connect(testApp());
    for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    const person = { organization, role: "member", workspace: "Lab" } as const;
    viewer = await connect(testApp(), { ...person, workspaceRole: "viewer" });
    ids.set("here", await create(owner, { name: "Here", workspace_id: "Lab" }));
    ids.set("there", await create(owner, { name: "There", workspace_id: "Vault" }));
    ids.set("loose", await create(owner, { name: "Loose" }));
    ids.set("gone", await create(owner, { name: "Gone", workspace_id: "Lab" }));
    await owner.ok("update_asset_state", { asset_id: idOf("gone"), state: "deleted" });
    for (const workspace_id of ["Lab", "Vault"]) {
      const task = { workspace_id, title: `Sweep the ${workspace_id}` };
      const made = await owner.ok<{ task: { id: string } }>("create_maintenance_task", task);
      ids.set(`work in ${workspace_id}`, made.task.id);
    }
  });

  test("a member sees the history of records visible to them today", async () => {
    const { events, total_count } = await search(viewer, { order: "oldest" });

    expect(events.map(({ asset_id, task_id }) => asset_id ?? task_id)).toEqual([
      idOf("here"),
      idOf("loose"),
      idOf("gone"),
      idOf("gone"),
      idOf("work in Lab"),
    ]);
    expect(total_count).toBe(5);
    expect((await search(owner)).total_count).toBe(7);
  });

  test("hides the history of an asset moved out of view", async () => {
    const id = await create(owner, { name: "Cart", workspace_id: "Lab" });
    const before = await countOf(viewer, { query: "moved or created" });

    await move(owner, id, { workspace_id: "Vault" });

    expect(await countOf(viewer, { query: "moved or created" })).toBe(before - 1);
    expect(await viewer.refused("search_asset_history", { asset_id: id })).toMatchObject({
      code: "not_found",
    });
    expect(await countOf(owner, { asset_id: id })).toBe(2);
  });

  test("a member can't find hidden assets, workspaces, and people", async () => {
    const stranger = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "Vault",
    });
    await move(stranger, idOf("there"), { location: "Shelf" });
    const refused = (filters: Json) => viewer.refused("search_asset_history", filters);

    expect((await refused({ asset_id: idOf("there") })).message).toContain("Asset not found");
    expect((await refused({ workspace_id: "Vault" })).message).toContain("Workspace not found");
    for (const actor_user_id of [stranger.member.userId, stranger.member.email]) {
      const error = await refused({ actor_user_id });
      expect(error).toMatchObject({ code: "not_found", field: "actor_user_id" });
    }
  });

  test("finds a former member by id when a visible event names them", async () => {
    const { organization } = owner.member;
    const person = { organization, role: "member", workspace: "Lab" } as const;
    const leaver = await connect(testApp(), { ...person, workspaceRole: "member", name: "Lee" });
    await move(leaver, idOf("here"), { location: "Bay 9" });
    const { userId: actor_user_id } = leaver.member;
    await testApp().db.query(
      "UPDATE organization_members SET removed_at = now() WHERE user_id = $1",
      [actor_user_id],
    );

    const { events } = await search(viewer, { actor_user_id });

    expect(events).toMatchObject([{ type: "asset_updated", actor: "Lee" }]);
    expect(
      await viewer.refused("search_asset_history", { actor_user_id: leaver.member.email }),
    ).toMatchObject({ code: "not_found" });
  });

  test("hides another organization's history", async () => {
    const other = await connect(testApp());

    expect(await countOf(other, {})).toBe(0);
    expect(await other.refused("search_asset_history", { asset_id: idOf("here") })).toMatchObject({
      code: "not_found",
    });
  });
});

describe("hidden words in visible events", () => {
  const testApp = useApp();
  let owner: Connected;
  let member: Connected;
  let drill: string;
  let frame: string;
  let vault: string;

  beforeAll(async () => {
    owner = await connect(testApp());
    for (const name of ["Lab", "Annex", "Vault seventeen"]) {
      await owner.ok("create_workspace", { name });
    }
    const { organization } = owner.member;
    member = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
    await testApp().db.query(
      `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role)
       SELECT id, $1, organization_id, 'viewer' FROM workspaces WHERE name = 'Annex'`,
      [member.member.userId],
    );
    frame = await create(owner, { name: "Golden frame", workspace_id: "Vault seventeen" });
    drill = await create(owner, { name: "Drill", workspace_id: "Vault seventeen" });
    await move(owner, drill, { workspace_id: "Lab", note: "needed downstairs" });
    await move(owner, drill, { parent_asset_id: frame });
    await move(owner, drill, { workspace_id: "Annex" });
    const places = await owner.ok<{ workspaces: { id: string; name: string }[] }>(
      "list_workspaces",
    );
    vault = places.workspaces.find(({ name }) => name === "Vault seventeen")?.id ?? "";
  });

  test("an admin finds them", async () => {
    for (const query of ["vault", '"vault seventeen"', "golden", frame, vault]) {
      expect(await countOf(owner, { query, asset_id: drill }), query).toBe(1);
    }
  });

  test.each(["vault", '"vault seventeen"', "seventeen lab", "golden", "golden or vault"])(
    "a member does not find %s",
    async (query) => {
      expect(await search(member, { query })).toEqual({ events: [], total_count: 0 });
    },
  );

  test("a member doesn't find the ids", async () => {
    for (const query of [vault, frame, vault.slice(4), frame.slice(4)]) {
      expect(await countOf(member, { query })).toBe(0);
    }
  });

  test("excluding hidden words doesn't reveal them", async () => {
    const all = await countOf(member, { query: "moved" });

    expect(all).toBe(3);
    for (const word of ["vault", "seventeen", "golden", "frame", frame, vault]) {
      expect(await countOf(member, { query: `moved -${word}` }), word).toBe(all);
    }
    const total = await countOf(member, {});
    expect(await countOf(member, { query: "-vault" })).toBe(total);
    expect(await countOf(member, { query: "-vault -golden" })).toBe(total);
    expect(await countOf(member, { query: "submarine or -vault" })).toBe(total);
  });

  test("finds visible words in events with hidden words", async () => {
    for (const [query, count] of [
      ["lab", 2],
      ["annex", 1],
      ["lab annex", 1],
      ["downstairs", 1],
      ['"needed downstairs"', 1],
      ["parent_asset_id", 1],
      ["workspace_name lab -annex", 1],
    ] as const) {
      expect(await countOf(member, { query }), query).toBe(count);
    }
  });

  test("found events omit hidden words, and their fields remain searchable", async () => {
    const { events } = await search(member, { field: "workspace_id", order: "oldest" });

    expect(events.map(({ changes }) => changes)).toEqual([
      [
        { field: "workspace_id", to: member.member.workspaceId },
        { field: "workspace_name", to: "Lab" },
      ],
      [
        {
          field: "workspace_id",
          from: member.member.workspaceId,
          to: expect.any(String) as unknown,
        },
        { field: "workspace_name", from: "Lab", to: "Annex" },
      ],
    ]);
    expect(await countOf(member, { field: "parent_asset_id" })).toBe(1);
    expect(JSON.stringify(await search(member))).not.toMatch(/vault|golden/i);
  });

  test("finds a parent once it becomes visible", async () => {
    await move(owner, frame, { workspace_id: "Lab" });

    expect(await countOf(member, { query: "golden", asset_id: drill })).toBe(1);
    expect(await countOf(member, { query: "vault" })).toBe(0);
    await move(owner, frame, { workspace_id: "Vault seventeen" });
    expect(await countOf(member, { query: "golden", asset_id: drill })).toBe(0);
  });
});
