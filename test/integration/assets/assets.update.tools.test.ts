import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Changed {
  asset: { id: string; inventory_number: string; version: number; state: string };
  changed: { field: string; from?: unknown; to?: unknown }[];
  warnings?: string[];
}

interface Details {
  asset: Json & { version: number };
  recent_history: { type: string; note?: string; changes?: unknown[] }[];
}

const update = (person: Connected, asset: string, fields: Json) =>
  person.ok<Changed>("update_asset", { asset_id: asset, ...fields });
const read = (person: Connected, asset: string) =>
  person.ok<Details>("get_asset", { asset_id: asset });

describe("update_asset", () => {
  const testApp = useApp();

  async function start(fields: Json = {}) {
    const owner = await connect(testApp());
    const { asset } = await owner.ok<Changed>("create_asset", { name: "Pump", ...fields });
    return { owner, id: asset.id, number: asset.inventory_number };
  }

  test("changes only the given fields and returns each value before and after", async () => {
    const { owner, id } = await start({ location: "Hall 1", tags: ["a"], criticality: "low" });

    const answer = await update(owner, id, {
      location: "Hall 2",
      manufacturer: "Acme",
      tags: "B",
      criticality: "low",
      note: "Moved over the weekend",
    });

    expect(answer).toMatchObject({
      asset: { id, version: 2 },
      changed: [
        { field: "manufacturer", to: "Acme" },
        { field: "location", from: "Hall 1", to: "Hall 2" },
        { field: "tags", from: ["a"], to: ["b"] },
      ],
    });
    const { asset, recent_history } = await read(owner, id);
    expect(asset).toMatchObject({ name: "Pump", location: "Hall 2", tags: ["b"], version: 2 });
    expect(recent_history[0]).toMatchObject({
      type: "asset_updated",
      note: "Moved over the weekend",
      changes: answer.changed,
    });
  });

  test("changes nothing, including the version, when values are unchanged", async () => {
    const { owner, id } = await start({ purchase_cost: 12.5, purchase_date: "2020-01-01" });

    const answer = await update(owner, id, {
      purchase_cost: "12.5",
      purchase_date: "2020-01-01T08:00:00Z",
    });

    expect(answer).toMatchObject({ changed: [], asset: { version: 1 } });
    expect((await read(owner, id)).recent_history).toHaveLength(1);
  });

  test("clear_fields empties fields, and a cost falls back to the organization's currency", async () => {
    const { owner, id } = await start({
      category: "HVAC",
      purchase_cost: 5,
      currency: "EUR",
      tags: ["a"],
      assigned_to_user_id: "me",
    });

    const cleared = ["category", "currency", "tags", "assigned_to_user_id"];
    await update(owner, id, { clear_fields: cleared });

    const { asset } = await read(owner, id);
    expect(asset).toMatchObject({ purchase_cost: 5, currency: "USD" });
    for (const field of ["category", "tags", "assigned_to", "assigned_to_user_id"]) {
      expect(asset).not.toHaveProperty(field);
    }
  });

  test("writes one event per type in a call, all under one request", async () => {
    const { owner, id } = await start();
    await owner.ok("create_workspace", { name: "North" });

    const answer = await update(owner, id, {
      name: "Pump 2",
      workspace_id: "North",
      assigned_to_user_id: owner.member.email,
      note: "Handed over",
    });

    expect(answer.changed.map(({ field }) => field)).toEqual([
      "workspace_id",
      "workspace_name",
      "assigned_to_user_id",
      "assigned_to",
      "name",
    ]);
    const rows = await testApp().db.query<{
      type: string;
      note: string | null;
      request_id: string;
    }>("SELECT type, note, request_id FROM history_events WHERE asset_id = $1 ORDER BY sequence", [
      id,
    ]);
    expect(rows.map(({ type, note }) => [type, note])).toEqual([
      ["asset_created", null],
      ["asset_moved", "Handed over"],
      ["asset_assigned", null],
      ["asset_updated", null],
    ]);
    expect(new Set(rows.slice(1).map(({ request_id }) => request_id)).size).toBe(1);
  });

  test("keeps a note without changes in the history", async () => {
    const { owner, id } = await start();

    const answer = await update(owner, id, { note: "Looked at it.\nFine." });

    expect(answer).toMatchObject({ changed: [], asset: { version: 1 } });
    expect((await read(owner, id)).recent_history[0]).toMatchObject({
      type: "note_added",
      note: "Looked at it.\nFine.",
    });
  });

  test("stores long values in the history as a prefix and a hash", async () => {
    const { owner, id } = await start({ description: "a".repeat(501) });

    await update(owner, id, { description: "b".repeat(500) });

    const [event] = (await read(owner, id)).recent_history;
    expect(event?.changes).toEqual([
      {
        field: "description",
        from: expect.stringMatching(/^a{200}… \(sha256 [0-9a-f]{64}\)$/) as string,
        to: "b".repeat(500),
      },
    ]);
  });

  test("rejects an older version and names the author and changes", async () => {
    const { owner, id } = await start();
    await update(owner, id, { name: "Pump 2", expected_version: 1 });

    const refusal = await owner.refused("update_asset", {
      asset_id: id,
      name: "Pump 3",
      expected_version: 1,
    });

    expect(refusal.code).toBe("conflict");
    expect(refusal.message).toMatch(
      new RegExp(
        `^Conflict: the asset changed since version 1 \\(now 2, by "${owner.member.name}", \\d seconds? ago: name\\)\\. Read it again with get_asset, then repeat with expected_version 2 if the change still makes sense\\.$`,
      ),
    );
  });

  test("permanently retires an inventory number that was changed", async () => {
    const { owner, id, number } = await start();

    await update(owner, id, { inventory_number: "P-1" });
    const byOld = await owner.refused("get_asset", { asset_id: number });
    const reused = await owner.refused("create_asset", { name: "X", inventory_number: number });
    const back = await owner.refused("update_asset", { asset_id: id, inventory_number: number });

    expect(byOld.code).toBe("not_found");
    expect(reused.message).toContain("Another asset had it before its number was changed");
    expect(back.code).toBe("duplicate");
    expect((await read(owner, "P-1")).asset["id"]).toBe(id);
  });

  test("rejects new parts for a retired asset, but allows changing existing ones", async () => {
    const { owner, id } = await start();
    const child = { name: "Rotor", parent_asset_id: id };
    const { asset } = await owner.ok<Changed>("create_asset", child);
    const other = await owner.ok<Changed>("create_asset", { name: "Stator" });
    await owner.ok("update_asset_state", { asset_id: id, state: "deleted", reason: "sold" });

    const refusals = [
      await owner.refused("create_asset", child),
      await owner.refused("update_asset", { asset_id: other.asset.id, parent_asset_id: id }),
    ];

    for (const { message } of refusals) expect(message).toContain("is retired. Restore it first");
    await owner.ok("update_asset", { asset_id: asset.id, parent_asset_id: id, model: "R2" });
  });

  test("rejects an asset as part of itself or of its parts", async () => {
    const { owner, id } = await start();
    const child = await owner.ok<Changed>("create_asset", { name: "Rotor", parent_asset_id: id });

    for (const parent of [id, child.asset.id]) {
      const refusal = await owner.refused("update_asset", {
        asset_id: id,
        parent_asset_id: parent,
      });
      expect(refusal.message).toContain("An asset can't be part of its own part");
    }
    expect((await read(owner, child.asset.id)).asset).toMatchObject({
      parent_asset_id: id,
      parent_asset: "Pump",
    });
  });

  test("unassigns a person who can't see the new workspace after a move", async () => {
    const { owner } = await start();
    await owner.ok("create_workspace", { name: "North" });
    await owner.ok("create_workspace", { name: "South" });
    const bob = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "North",
      name: "Bob",
    });
    const { asset } = await owner.ok<Changed>("create_asset", {
      name: "Van",
      workspace_id: "North",
      assigned_to_user_id: bob.member.userId,
    });

    const refusal = await owner.refused("update_asset", {
      asset_id: asset.id,
      workspace_id: "South",
      assigned_to_user_id: bob.member.userId,
    });
    const answer = await update(owner, asset.id, { workspace_id: "South" });

    expect(refusal.message).toContain(`"Bob" can't see the workspace "South"`);
    expect(answer.warnings).toEqual([`"Bob" can't see "South" and is no longer assigned.`]);
    expect((await read(owner, asset.id)).recent_history.map(({ type }) => type)).toEqual([
      "asset_assigned",
      "asset_moved",
      "asset_created",
    ]);
  });

  test("allows only moves and notes for a deleted asset", async () => {
    const { owner, id } = await start();
    await owner.ok("create_workspace", { name: "North" });
    await owner.ok("update_asset_state", { asset_id: id, state: "deleted" });

    const refusal = await owner.refused("update_asset", { asset_id: id, name: "New" });
    const clearing = await owner.refused("update_asset", { asset_id: id, clear_fields: "tags" });
    const moved = await update(owner, id, { workspace_id: "North", note: "Making room" });
    const unplaced = await update(owner, id, { clear_fields: ["workspace_id"] });

    expect(refusal).toMatchObject({
      code: "invalid_transition",
      message:
        "Not possible: the asset is deleted, so name can't be changed. Only workspace_id and note can. To restore it, use update_asset_state with state available, in_use or stored.",
    });
    expect(clearing.code).toBe("invalid_transition");
    expect(moved.changed).toHaveLength(2);
    expect(unplaced.changed).toHaveLength(2);
  });

  test("a dry run returns the changes without saving them or returning a version", async () => {
    const { owner, id } = await start();

    const dry = await update(owner, id, { name: "Pump 2", inventory_number: "P-9", dry_run: true });

    expect(dry).toMatchObject({ dry_run: true, asset: { name: "Pump 2" } });
    expect(Object.keys(dry.asset)).toEqual(["id", "inventory_number", "name", "state", "url"]);
    expect((await read(owner, id)).asset).toMatchObject({ name: "Pump", version: 1 });
    await owner.ok("create_asset", { name: "X", inventory_number: "P-9" });
  });

  test.each([
    [{}, "no change was given"],
    [{ expected_version: 1 }, "no change was given"],
    [{ tags: ["a"], clear_fields: ["tags"] }, "tags is both set and in clear_fields"],
    [{ clear_fields: ["name"] }, 'clear_fields[0] "name" is not one of: workspace_id, category,'],
    [{ state: "stored" }, 'unknown parameter "state"'],
  ])("rejects %j: %s", async (fields: Json, expected: string) => {
    const { owner, id } = await start();

    const refusal = await owner.refused("update_asset", { asset_id: id, ...fields });

    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message).toContain(expected);
  });
});
