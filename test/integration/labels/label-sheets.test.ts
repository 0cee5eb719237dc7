import { describe, expect, test } from "vitest";
import {
  labelBox,
  labelTemplates,
  layOutLabel,
  type LabelTemplateName,
} from "../../../server/src/domain/labels/templates.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { openPdf, readFontNames, readTexts, scanPage } from "../../support/qr-reader.js";

interface Labels {
  codes: { encoded_url: string }[];
  sheet: { url: string; pages: number };
}

const points = 72 / 25.4;

describe("printed sheet", () => {
  const testApp = useApp();

  async function someAssets(owner: Connected, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 1; n <= count; n += 1) {
      const name = `Air handling unit ${n}, east wing of the second building`;
      const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
        name,
        inventory_number: `INV-${n}`,
      });
      ids.push(asset.id);
    }
    return ids;
  }

  async function print(owner: Connected, args: Json) {
    const { codes, sheet } = await owner.ok<Labels>("generate_asset_qr_codes", {
      format: "pdf_sheet",
      ...args,
    });
    const file = await testApp().app.inject({ url: sheet.url });
    return { codes, sheet, pdf: await openPdf(file.rawPayload) };
  }

  test.each([
    { name: "avery_l4731", skip: 85, pages: 1 },
    { name: "avery_l7160", skip: 18, pages: 2 },
    { name: "avery_22806", skip: 8, pages: 2 },
    { name: "brother_24mm", skip: 0, pages: 5 },
  ] as const)("$name places every code on its label", async ({ name, skip, pages }) => {
    const owner = await connect(testApp());
    const asset_ids = await someAssets(owner, 5);
    const template = labelTemplates[name satisfies LabelTemplateName];
    const perPage = template.columns * template.rows;

    const { codes, sheet, pdf } = await print(owner, {
      asset_ids,
      label_template: name,
      skip_labels: skip,
    });

    expect([sheet.pages, pdf.numPages]).toEqual([pages, pages]);
    for (let number = 1; number <= pages; number += 1) {
      const { view } = await pdf.getPage(number);
      expect(view[2]).toBeCloseTo(template.page.width * points, 1);
      expect(view[3]).toBeCloseTo(template.page.height * points, 1);
      const places = Array.from({ length: perPage }, (_, n) => n);
      const scanned = await scanPage(
        pdf,
        number,
        places.map((n) => labelBox(template, n)),
      );
      const expected = places.map((n) => codes[(number - 1) * perPage + n - skip]?.encoded_url);
      expect(scanned, `page ${number}`).toEqual(expected);
    }
  });

  test("shows current names and numbers when opened, and has a title", async () => {
    const owner = await connect(testApp(), { organization: "Żółw & Co" });
    const [first = "", second = ""] = await someAssets(owner, 2);
    const { sheet } = await owner.ok<Labels>("generate_asset_qr_codes", {
      format: "pdf_sheet",
      label_template: "avery_5163",
      asset_ids: [second, first],
    });
    await owner.ok("update_asset", { asset_id: second, name: "Renamed (2)" });

    const pdf = await openPdf((await testApp().app.inject({ url: sheet.url })).rawPayload);

    const texts = await readTexts(pdf, 1);
    expect(texts.slice(0, 2)).toEqual(["Renamed (2)", "INV-2"]);
    expect(texts.slice(2).join(" ")).toBe(
      "Air handling unit 1, east wing of the second building INV-1",
    );
    expect((await pdf.getMetadata()).info).toMatchObject({ Title: "Labels, Żółw & Co" });
  });

  test("prints the requested lines in order and omits empty ones", async () => {
    const owner = await connect(testApp(), { organization: "Works" });
    await owner.ok("create_workspace", { name: "Lab" });
    await owner.ok("create_asset", {
      name: "Scale",
      inventory_number: "S-1",
      workspace_id: "Lab",
      location: "Bench 4",
    });

    const { pdf } = await print(owner, {
      asset_ids: ["S-1"],
      label_template: "dymo_30252",
      label_fields: ["organization", "serial_number", "location", "workspace"],
    });

    expect(await readTexts(pdf, 1)).toEqual(["Works", "Bench 4", "Lab"]);
  });

  test.each([
    "Łódź: żółta wciągarka",
    "Žluťoučký kůň",
    "Αντλία Ήλιος 12",
    "Насос №3, їжак",
    "Ջերմային պոմպ",
    "სატუმბო 5",
    "مضخة المياه 3",
    "משאבת מים 12",
  ])("prints %s in full, with its letters", async (name) => {
    const owner = await connect(testApp());
    await owner.ok("create_asset", { name, inventory_number: "№ 1" });

    const { pdf } = await print(owner, { asset_ids: ["№ 1"], label_template: "avery_5163" });

    expect(await readTexts(pdf, 1)).toEqual([name, "№ 1"]);
  });

  test("embeds a font only when needed", async () => {
    const owner = await connect(testApp());
    for (const name of ["Kühler", "Żuraw"]) {
      await owner.ok("create_asset", { name, inventory_number: name });
    }

    const fontsOf = async (asset: string) => {
      const { pdf } = await print(owner, { asset_ids: [asset] });
      return readFontNames(pdf, 1);
    };

    expect(await fontsOf("Kühler")).toEqual(["Helvetica", "Helvetica-Bold"]);
    expect(await fontsOf("Żuraw")).toEqual(["DejaVuSans", "DejaVuSans-Bold"]);
  });

  test("aligns right-to-left names to the right", async () => {
    const owner = await connect(testApp());
    await owner.ok("create_asset", { name: "משאבה (B-12) 34", inventory_number: "P-1" });

    const { pdf } = await print(owner, { asset_ids: ["P-1"], label_template: "dymo_30252" });

    const { items } = await (await pdf.getPage(1)).getTextContent();
    const ends = items.flatMap((item) =>
      "str" in item && item.str.trim() !== "" ? [Number(item.transform[4]) + item.width] : [],
    );
    const { x, width } = layOutLabel(labelTemplates.dymo_30252).text;
    const right = (labelTemplates.dymo_30252.first.x + x + width) * points;
    expect(ends).toEqual([expect.closeTo(right, 0), expect.closeTo(right, 0)]);
  });

  test("prints no garbage for scripts missing from its fonts, and says so", async () => {
    const owner = await connect(testApp());
    for (const [index, name] of ["ポンプ", "Kühler 🔥", "泵", "펌프"].entries()) {
      await owner.ok("create_asset", {
        name,
        inventory_number: index === 2 ? "泵-1" : `N-${index}`,
      });
    }
    const asset_ids = ["N-0", "N-1", "泵-1", "N-3"];

    const { codes, pdf } = await print(owner, { asset_ids });
    const { content } = await owner.call("generate_asset_qr_codes", {
      asset_ids,
      format: "pdf_sheet",
    });

    const token = codes[2]?.encoded_url.split("/").at(-1);
    expect(await readTexts(pdf, 1)).toEqual(["N-0", "Kühler", "N-1", token, "N-3"]);
    expect(content[1]?.text).toMatch(/^3 of 4 labels show no name/);
  });
});
