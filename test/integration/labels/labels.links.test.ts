import { describe, expect, test } from "vitest";
import {
  createLabelLinkSigner,
  type LabelLink,
} from "../../../server/src/domain/labels/label-links.js";
import { useApp, type TestApp } from "../../support/app.js";
import { connect } from "../../support/mcp.js";
import { openPdf, readTexts } from "../../support/qr-reader.js";
import { worded } from "../../support/refusals.js";

const hour = 3_600_000;

/** An organization with one asset, and a link to its code as the server creates it. */
async function aLink(testApp: TestApp, change: Partial<LabelLink> = {}) {
  const owner = await connect(testApp);
  const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
  const link: LabelLink = {
    organizationId: owner.member.organizationId,
    madeBy: owner.member.userId,
    of: "asset",
    ids: [asset.id],
    expiresAt: new Date(Date.now() + hour),
    drawing: { format: "png" },
    ...change,
  };
  return { link, token: createLabelLinkSigner(testApp.config.secretKeys).write(link) };
}

describe("label link", () => {
  const testApp = useApp();

  test("reads back everything that was written", () => {
    const keeper = createLabelLinkSigner(["k".repeat(32)]);
    const link: LabelLink = {
      organizationId: "org_0123456789ab",
      madeBy: "usr_0123456789ab",
      of: "asset",
      ids: ["ast_zzzzzzzzzzzz", "ast_000000000000", "ast_cdefghjkmnpq"],
      expiresAt: new Date("2026-11-21T10:00:00Z"),
      drawing: {
        format: "pdf_sheet",
        template: "single_50x25mm",
        skip: 99,
        fields: ["organization", "serial_number", "name", "workspace"],
      },
    };

    expect(keeper.read(keeper.write(link), new Date("2026-11-21T09:59:59Z"))).toEqual(link);
  });

  test("works until its last second, and not after", () => {
    const keeper = createLabelLinkSigner(["k".repeat(32)]);
    const expiresAt = new Date("2026-11-21T10:00:00Z");
    const token = keeper.write({
      organizationId: "org_0123456789ab",
      madeBy: "usr_0123456789ab",
      of: "asset",
      ids: ["ast_0123456789ab"],
      expiresAt,
      drawing: { format: "svg" },
    });

    expect(keeper.read(token, new Date("2026-11-21T09:59:59.999Z")).expiresAt).toEqual(expiresAt);
    expect(() => worded(() => keeper.read(token, expiresAt))).toThrow("has expired");
  });

  test("survives a new key, and ends when its own key is removed", () => {
    const [old, fresh] = ["o".repeat(32), "n".repeat(32)] as const;
    const now = new Date();
    const token = createLabelLinkSigner([old]).write({
      organizationId: "org_0123456789ab",
      madeBy: "usr_0123456789ab",
      of: "asset",
      ids: ["ast_0123456789ab"],
      expiresAt: new Date(now.getTime() + hour),
      drawing: { format: "svg" },
    });

    expect(createLabelLinkSigner([fresh, old]).read(token, now).ids).toHaveLength(1);
    expect(() => worded(() => createLabelLinkSigner([fresh]).read(token, now))).toThrow(
      "No labels",
    );
  });

  test("opens without a session and is cached only while valid", async () => {
    const { token } = await aLink(testApp());

    const file = await testApp().app.inject({ url: `/labels/${token}` });

    expect(file.statusCode).toBe(200);
    expect(file.headers["set-cookie"]).toBeUndefined();
    const [, seconds = ""] =
      /^private, max-age=(\d+)$/.exec(String(file.headers["cache-control"])) ?? [];
    expect(Number(seconds)).toBeGreaterThan(3000);
    expect(Number(seconds)).toBeLessThanOrEqual(3600);
  });

  test("rejects a changed, truncated, or foreign-signed link", async () => {
    const { app } = testApp();
    const { token, link } = await aLink(testApp());
    const other = createLabelLinkSigner(["another-key-of-at-least-32-characters"]).write(link);
    const at = Math.floor(token.length / 2);
    const changed =
      token.slice(0, at) + (token.charAt(at) === "A" ? "B" : "A") + token.slice(at + 1);

    for (const wrong of [other, changed, token.slice(0, -2), `${token}A`, `${token}.`, "x"]) {
      const answer = await app.inject({ url: `/labels/${wrong}` });
      expect(answer.statusCode, wrong).toBe(404);
      expect(answer.json()).toEqual({
        error: "not_found",
        message: expect.stringContaining("No labels at this address.") as string,
      });
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
  });

  test("reports expiry, on a page for people", async () => {
    const { app } = testApp();
    const { token } = await aLink(testApp(), { expiresAt: new Date(Date.now() - 1000) });

    const json = await app.inject({ url: `/labels/${token}` });
    const page = await app.inject({ url: `/labels/${token}`, headers: { accept: "text/html" } });

    expect([json.statusCode, page.statusCode]).toEqual([410, 410]);
    expect(json.json()).toMatchObject({ error: "expired" });
    expect(page.headers["content-type"]).toContain("text/html");
    expect(page.body).toContain("This label link has expired");
  });

  test("reaches only its organization's assets", async () => {
    const stranger = await connect(testApp());
    const { token } = await aLink(testApp(), { organizationId: stranger.member.organizationId });

    expect((await testApp().app.inject({ url: `/labels/${token}` })).statusCode).toBe(404);
  });

  test("omits permanently deleted assets and says when none are left", async () => {
    const { app } = testApp();
    const gone = "ast_000000000000";
    const { link } = await aLink(testApp());
    const keeper = createLabelLinkSigner(testApp().config.secretKeys);
    const sheet = keeper.write({
      ...link,
      of: "asset",
      ids: [gone, ...link.ids],
      drawing: { format: "pdf_sheet", template: "dymo_30252", skip: 0, fields: ["name"] },
    });

    const left = await app.inject({ url: `/labels/${sheet}` });
    const nothing = await app.inject({
      url: `/labels/${keeper.write({ ...link, of: "asset", ids: [gone] })}`,
    });

    expect((await openPdf(left.rawPayload)).numPages).toBe(1);
    expect(nothing.statusCode).toBe(404);
    expect(nothing.json<{ message: string }>().message).toContain("permanently deleted");
  });

  test("TEN-11 shows assets its creator can see now, and none after they leave", async () => {
    const { app, db } = testApp();
    const owner = await connect(testApp());
    for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
    const ids: string[] = [];
    for (const name of ["Pump", "Fan"]) {
      const made = { name, workspace_id: "Lab" };
      ids.push((await owner.ok<{ asset: { id: string } }>("create_asset", made)).asset.id);
    }
    const { organization } = owner.member;
    const member = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
    const open = async (format: string) => {
      const sheet = { label_template: "dymo_30252", label_fields: ["name", "workspace"] };
      const { codes = [], sheet: { url = codes[0]?.image_url ?? "" } = {} } = await member.ok<{
        codes?: { image_url?: string }[];
        sheet?: { url: string };
      }>("generate_asset_qr_codes", {
        asset_ids: ids,
        format,
        ...(format === "pdf_sheet" && sheet),
      });
      return () => app.inject({ url: new URL(url).pathname });
    };
    const [openSheet, openImage] = [await open("pdf_sheet"), await open("png")];
    expect((await openPdf((await openSheet()).rawPayload)).numPages).toBe(2);

    const hidden = { asset_id: ids[0], workspace_id: "Vault", name: "Reactor" };
    await owner.ok("update_asset", hidden);
    const left = await openPdf((await openSheet()).rawPayload);
    expect([left.numPages, await readTexts(left, 1)]).toEqual([1, ["Fan", "Lab"]]);
    const image = await openImage();
    expect([image.statusCode, image.body]).toEqual([404, expect.stringContaining("see them")]);

    const { userId } = member.member;
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      userId,
    ]);
    expect((await openSheet()).statusCode).toBe(404);
  });
});
