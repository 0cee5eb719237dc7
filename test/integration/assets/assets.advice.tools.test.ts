import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Answer {
  asset: { id: string; inventory_number: string; version?: number; workspace_id?: string };
  changed?: { field: string; to?: unknown }[];
  warnings?: string[];
}

describe("create_asset and update_asset warnings", () => {
  const testApp = useApp();
  let owner: Connected;
  let member: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
    for (const name of ["Lab", "Yard"]) await owner.ok("create_workspace", { name });
    member = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "Lab",
      name: "Max Member",
    });
  });

  const create = (fields: Json, person = owner) =>
    person.ok<Answer>("create_asset", { name: "Thing", ...fields });

  test.each([
    ["pump", "Pumps"],
    ["Fork-lift", "fork lifts"],
    ["AirConditioner", "Air conditioners"],
    ["Compresors", "Compressors"],
  ])("warns once about a new category %j similar to %j", async (typed, known) => {
    await create({ category: known });

    const first = await create({ category: typed });
    const again = await create({ category: typed });

    expect(first.warnings).toEqual([`Category "${typed}" is new. There is also "${known}".`]);
    expect(again.warnings).toBeUndefined();
  });

  test("ignores case in known categories and doesn't warn about dissimilar ones", async () => {
    await create({ category: "Boilers" });

    const known = await create({ category: "BOILERS" });
    const unlike = await create({ category: "Vehicles" });

    expect([known.warnings, unlike.warnings]).toEqual([undefined, undefined]);
  });

  test("update_asset warns about a similar category, also in a dry run", async () => {
    await create({ category: "Ladders" });
    const { asset } = await create({});
    const change = { asset_id: asset.id, category: "ladder" };
    const warnings = ['Category "ladder" is new. There is also "Ladders".'];

    const tried = await owner.ok<Answer>("update_asset", { ...change, dry_run: true });
    const made = await owner.ok<Answer>("update_asset", change);

    expect(tried.warnings).toEqual(warnings);
    expect(made).toMatchObject({ warnings, changed: [{ field: "category", to: "ladder" }] });
  });

  test("hides a category from people who see no asset in it", async () => {
    await create({ category: "Centrifuges", workspace_id: "Yard" });

    const answer = await create({ category: "Centrifuge", workspace_id: "Lab" }, member);

    expect(answer.warnings).toBeUndefined();
  });

  test("a dry run doesn't change the expected version", async () => {
    const { asset } = await create({});
    const change = { asset_id: asset.id, name: "Renamed", expected_version: asset.version };

    await owner.ok("update_asset", { ...change, dry_run: true });
    const made = await owner.ok<Answer>("update_asset", change);

    expect(made.asset.version).toBe(2);
  });

  test("suggests keeping the current number when the new one is taken", async () => {
    const taken = (await create({ name: "Boiler", inventory_number: "BR-1" })).asset;
    const { asset } = await create({});

    const refusal = await owner.refused("update_asset", {
      asset_id: asset.id,
      inventory_number: "BR-1",
    });
    const id = await owner.refused("update_asset", {
      asset_id: asset.id,
      inventory_number: taken.id,
    });

    expect(refusal.message).toBe(
      `Validation failed: Inventory number has already been taken (by "Boiler", ${taken.id}). Choose another one, or leave inventory_number out to keep the current one.`,
    );
    expect(id.message).toBe(
      `Validation failed: inventory_number "${taken.id}" looks like an id. Choose another one, or leave inventory_number out to keep the current one.`,
    );
  });

  test.each([
    ["assigned_to_user_id", "none", "person"],
    ["assigned_to_user_id", "Unassigned", "person"],
    ["workspace_id", "NONE", "workspace"],
  ])("rejects %s %j and explains how to leave it empty", async (field, value, kind) => {
    const { asset } = await create({});

    const creation = await owner.refused("create_asset", { name: "Thing", [field]: value });
    const update = await owner.refused("update_asset", { asset_id: asset.id, [field]: value });

    expect(creation).toMatchObject({
      code: "validation_failed",
      field,
      message: `Validation failed: ${field} "${value}" is not a ${kind}. For none, leave ${field} out.`,
    });
    expect(update.message).toBe(
      `Validation failed: ${field} "${value}" is not a ${kind}. To empty it, use clear_fields ["${field}"].`,
    );
  });

  test("suggests inviting an assignee who can't see the workspace", async () => {
    const { asset } = await create({ workspace_id: "Yard" });
    const yard = asset.workspace_id ?? "";

    const refusal = await owner.refused("update_asset", {
      asset_id: asset.id,
      assigned_to_user_id: member.member.email,
    });
    await owner.ok("create_invite", { email: member.member.email, workspace_id: yard });

    expect(refusal.message).toBe(
      `Validation failed: assigned_to_user_id: "Max Member" can't see the workspace "Yard". Choose someone who belongs to it (list_users), or have a workspace admin add them first: create_invite with their email and workspace_id ${yard}.`,
    );
  });
});
