// @module-tag embedded

import { describe, expect, test } from "vitest";
import { useApp, type TestApp } from "../../support/app.js";
import type { Member } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { readPngCode } from "../../support/qr-reader.js";

interface Labels {
  codes?: {
    asset_id: string;
    inventory_number: string;
    name: string;
    encoded_url: string;
    image_url?: string;
  }[];
  sheet?: { url: string; pages: number; labels: number; template: string };
  expires_at: string;
  skipped?: { asset: string; reason: string }[];
}

interface Block {
  type: string;
  uri?: string;
  data?: string;
  mimeType?: string;
  annotations?: Json;
}

const missing = "not found, or in a workspace you can't see";

async function anAsset(person: Connected, fields: Json = {}): Promise<string> {
  const { asset } = await person.ok<{ asset: { id: string } }>("create_asset", {
    name: "Pump",
    ...fields,
  });
  return asset.id;
}

/** Adds assets N-1, N-2 … directly in the table, since a hundred calls would take long. */
async function manyAssets({ db }: TestApp, member: Member, count: number): Promise<string[]> {
  const rows = await db.query<{ inventory_number: string }>(
    `INSERT INTO assets (id, organization_id, inventory_number, name, qr_token, created_by)
     SELECT 'ast_' || right(md5($1 || n), 12), $1, 'N-' || n, 'Asset ' || n,
       right(md5(n || $1), 12), $2 FROM generate_series(1, $3::int) n
     RETURNING inventory_number`,
    [member.organizationId, member.userId, count],
  );
  return rows.map(({ inventory_number }) => inventory_number);
}

async function blocksOf(person: Connected, args: Json): Promise<Block[]> {
  const { content } = await person.call("generate_asset_qr_codes", args);
  return content.slice(1);
}

describe("generate_asset_qr_codes", () => {
  const testApp = useApp();

  test("returns a PNG of one asset as a link and a people-only image", async () => {
    const { app, config, db } = testApp();
    const owner = await connect(testApp());
    const id = await anAsset(owner, { name: "Pump <3>", inventory_number: "P/7 ü" });
    const row = await db.maybe<{ qr_token: string }>("SELECT qr_token FROM assets WHERE id = $1", [
      id,
    ]);
    const encoded = `${config.baseUrl}/q/${row?.qr_token ?? ""}`.toUpperCase();

    const answer = await owner.ok<Labels>("generate_asset_qr_codes", { asset_ids: "P/7 ü" });
    const blocks = await blocksOf(owner, { asset_ids: [id] });
    const url = answer.codes?.[0]?.image_url ?? "";
    const file = await app.inject({ url });

    expect(answer).toEqual({
      codes: [
        {
          asset_id: id,
          inventory_number: "P/7 ü",
          name: "Pump <3>",
          encoded_url: encoded,
          image_url: expect.stringMatching(/^http:\/\/localhost:3000\/labels\/[\w-]+$/) as string,
        },
      ],
      expires_at: expect.any(String) as string,
    });
    expect(blocks.map(({ type }) => type)).toEqual(["resource_link", "image"]);
    expect(blocks[0]).toMatchObject({ name: "P/7 ü.png", mimeType: "image/png" });
    expect(blocks[1]).toMatchObject({ mimeType: "image/png", annotations: { audience: ["user"] } });
    expect(readPngCode(Buffer.from(blocks[1]?.data ?? "", "base64"))).toBe(encoded);
    expect(file.statusCode).toBe(200);
    expect(file.headers).toMatchObject({
      "content-type": "image/png",
      "content-disposition": 'inline; filename="P_7_.png"',
      "x-content-type-options": "nosniff",
    });
    expect(readPngCode(file.rawPayload)).toBe(encoded);
  });

  test("returns SVG without scripts, as links only", async () => {
    const { app } = testApp();
    const owner = await connect(testApp());
    const id = await anAsset(owner, { name: "<script>alert(1)</script>" });

    const call = { asset_ids: [id], format: "svg" };
    const { codes } = await owner.ok<Labels>("generate_asset_qr_codes", call);
    const blocks = await blocksOf(owner, call);
    const file = await app.inject({ url: codes?.[0]?.image_url ?? "" });

    expect(blocks.map(({ type }) => type)).toEqual(["resource_link"]);
    expect(file.headers).toMatchObject({
      "content-type": "image/svg+xml",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(file.body).toMatch(/^<svg [^<]+><rect [^<]+><path [^<]+><\/svg>$/);
    expect(file.body).not.toContain("alert");
  });

  test("returns images for up to three codes, and only links for more", async () => {
    const owner = await connect(testApp());
    const numbers = await manyAssets(testApp(), owner.member, 4);

    const three = await blocksOf(owner, { asset_ids: numbers.slice(1) });
    const four = await blocksOf(owner, { asset_ids: numbers });

    expect(three.filter(({ type }) => type === "image")).toHaveLength(3);
    expect(four.map(({ type }) => type)).toEqual(Array(4).fill("resource_link"));
  });

  test("puts a hundred assets, in order and with repeats, behind one usable link", async () => {
    const { app } = testApp();
    const owner = await connect(testApp());
    const numbers = (await manyAssets(testApp(), owner.member, 98)).reverse();
    const asset_ids = ["N-3", ...numbers, "N-3"];

    const call = { asset_ids, format: "pdf_sheet", skip_labels: 5 };
    const { codes, sheet } = await owner.ok<Labels>("generate_asset_qr_codes", call);
    const blocks = await blocksOf(owner, call);
    const file = await app.inject({ url: sheet?.url ?? "" });

    expect(codes?.map((code) => code.inventory_number)).toEqual(asset_ids);
    expect(codes?.[0]).not.toHaveProperty("image_url");
    expect(sheet).toMatchObject({ pages: 5, labels: 100, template: "avery_l7160" });
    expect(sheet?.url.length).toBeLessThan(1300);
    expect(blocks).toMatchObject([{ type: "resource_link", mimeType: "application/pdf" }]);
    expect(file.statusCode).toBe(200);
    expect(file.headers["content-type"]).toBe("application/pdf");
    expect(file.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("skips missing or deleted assets and says why", async () => {
    const owner = await connect(testApp());
    const stranger = await connect(testApp());
    await manyAssets(testApp(), owner.member, 2);
    await owner.ok("update_asset_state", { asset_id: "N-2", state: "deleted" });
    const foreign = await anAsset(stranger);

    const { codes, skipped } = await owner.ok<Labels>("generate_asset_qr_codes", {
      asset_ids: ["N-2", foreign, "N-1", "n-1", "ast_000000000000"],
    });

    expect(codes?.map((code) => code.inventory_number)).toEqual(["N-1"]);
    expect(skipped).toEqual([
      { asset: "N-2", reason: "deleted; restore it with update_asset_state first" },
      { asset: foreign, reason: missing },
      { asset: "n-1", reason: missing },
      { asset: "ast_000000000000", reason: missing },
    ]);
  });

  test("rejects a request with nothing left to print", async () => {
    const owner = await connect(testApp());
    await manyAssets(testApp(), owner.member, 1);
    await owner.ok("update_asset_state", { asset_id: "N-1", state: "deleted" });

    const deleted = await owner.refused("generate_asset_qr_codes", { asset_ids: ["N-1"] });
    const unknown = await owner.refused("generate_asset_qr_codes", { asset_ids: ["N-1", "N-9"] });

    expect(deleted).toMatchObject({ code: "invalid_transition", field: "asset_ids" });
    expect(deleted.message).toMatch(/^Not possible: "Asset 1" is deleted/);
    expect(unknown).toMatchObject({ code: "not_found", field: "asset_ids" });
    expect(unknown.message).toMatch(/^Asset not found for "N-9"\./);
  });

  test("shows viewers only their workspaces and unplaced assets", async () => {
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Lab" });
    await owner.ok("create_workspace", { name: "Vault" });
    const viewer = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "Lab",
      workspaceRole: "viewer",
    });
    const inLab = await anAsset(owner, { workspace_id: "Lab" });
    const inVault = await anAsset(owner, { workspace_id: "Vault" });
    const unplaced = await anAsset(owner);

    const { codes, skipped } = await viewer.ok<Labels>("generate_asset_qr_codes", {
      asset_ids: [inLab, inVault, unplaced],
    });

    expect(codes?.map((code) => code.asset_id)).toEqual([inLab, unplaced]);
    expect(skipped).toEqual([{ asset: inVault, reason: missing }]);
  });

  test.each([
    { label_template: "avery_l7160" },
    { format: "svg", skip_labels: 1 },
    { format: "png", label_fields: ["name"] },
  ])("rejects %o, which works only with sheets", async (given) => {
    const owner = await connect(testApp());
    const id = await anAsset(owner);

    const refusal = await owner.refused("generate_asset_qr_codes", { asset_ids: [id], ...given });

    const field = Object.keys(given).at(-1) ?? "";
    expect(refusal).toMatchObject({ code: "validation_failed", field });
    expect(refusal.message).toBe(
      `Validation failed: ${field} only works with format "pdf_sheet". Set that format, or leave ${field} out.`,
    );
  });

  test.each([
    { asset_ids: [], field: "asset_ids" },
    { asset_ids: Array(101).fill("N-1"), field: "asset_ids" },
    { asset_ids: ["wsp_0123456789ab"], field: "asset_ids" },
    { label_template: "avery_5163", skip_labels: 10, field: "skip_labels" },
    { label_template: "dymo_30252", skip_labels: 1, field: "skip_labels" },
    { label_template: "avery_9999", field: "label_template" },
    { label_fields: Array(5).fill("name"), field: "label_fields" },
    { label_fields: ["colour"], field: "label_fields[0]" },
  ])("rejects %o", async ({ field, ...given }) => {
    const owner = await connect(testApp());
    const id = await anAsset(owner);

    const refusal = await owner.refused("generate_asset_qr_codes", {
      asset_ids: [id],
      format: "pdf_sheet",
      ...given,
    });

    expect(refusal).toMatchObject({ code: "validation_failed", field });
  });

  test("writes no history and changes no asset", async () => {
    const { db } = testApp();
    const owner = await connect(testApp());
    const id = await anAsset(owner);
    const read = () =>
      db.query(
        `SELECT version, updated_at, (SELECT count(*)::int FROM history_events h
           WHERE h.organization_id = a.organization_id) AS events FROM assets a WHERE id = $1`,
        [id],
      );
    const before: unknown = await read();

    await owner.ok("generate_asset_qr_codes", { asset_ids: [id] });

    expect(await read()).toEqual(before);
  });

  test("omits links for clients of revisions without them", async () => {
    const { app } = testApp();
    const owner = await connect(testApp());
    const id = await anAsset(owner);
    const typesFor = async (version: string | undefined) => {
      const response = await app.inject({
        method: "POST",
        url: "/mcp",
        headers: {
          authorization: `Bearer ${owner.token}`,
          ...(version !== undefined && { "mcp-protocol-version": version }),
        },
        payload: {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "generate_asset_qr_codes", arguments: { asset_ids: [id] } },
        },
      });
      const { result } = response.json<{ result: { content: Block[] } }>();
      return result.content.map(({ type }) => type);
    };

    expect(await typesFor(undefined)).toEqual(["text", "image"]);
    expect(await typesFor("2025-03-26")).toEqual(["text", "image"]);
    expect(await typesFor("2025-06-18")).toEqual(["text", "resource_link", "image"]);
  });
});
