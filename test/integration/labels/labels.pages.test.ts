import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPdf, readPngCode, readTexts } from "../../support/qr-reader.js";

interface Created {
  asset: { id: string; inventory_number: string };
}

async function anAsset(owner: Connected, fields: Record<string, unknown> = {}) {
  return (await owner.ok<Created>("create_asset", { name: "Pump", ...fields })).asset;
}

function linkOf(html: string, words: string): string {
  return new RegExp(`<a href="([^"]*)"[^>]*>${words}<`).exec(html)?.[1] ?? "";
}

describe("label on the asset page", () => {
  const current = useApp();

  test("shows, prints, and downloads the label, whose code is the printed address", async () => {
    const { app, config } = current();
    const owner = await connect(current());
    const { id, inventory_number: number } = await anAsset(owner);
    const browser = await signIn(app, owner.member);

    const { body } = await browser.get(`/assets/${id}`);
    const printed = /class="label-address">([^<]*)</.exec(body)?.[1] ?? "";
    const png = await browser.get(linkOf(body, "Download as PNG"));
    const svg = await browser.get(linkOf(body, "Download as SVG"));
    const pdf = await browser.get(linkOf(body, "Print this label"));

    expect(printed).toMatch(/\/Q\/[0-9A-Z]{12}$/);
    expect(printed.startsWith(config.baseUrl.toUpperCase())).toBe(true);
    expect(readPngCode(png.rawPayload)).toBe(printed);
    expect(svg.headers["content-type"]).toBe("image/svg+xml");
    expect(body).toContain(`alt="QR code of ${number}"`);
    const document = await openPdf(pdf.rawPayload);
    expect(document.numPages).toBe(1);
    expect((await readTexts(document, 1)).join(" ")).toContain(number);
  });

  test("appears for viewers too, but not for a retired asset", async () => {
    const { app, db } = current();
    const owner = await connect(current(), { workspace: "Hall" });
    const { id } = await anAsset(owner, { workspace_id: "Hall" });
    const place = { workspace: "Hall", workspaceRole: "viewer", role: "member" } as const;
    const viewer = await aMember(db, { organization: owner.member.organization, ...place });
    const browser = await signIn(app, viewer);

    expect((await browser.get(`/assets/${id}`)).body).toContain("Print this label");
    await owner.ok("update_asset_state", { asset_id: id, state: "deleted" });
    expect((await browser.get(`/assets/${id}`)).body).not.toContain("Print this label");
  });
});
