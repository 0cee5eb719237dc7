import type { Frame } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { runAxe } from "../../support/axe.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected } from "../../support/mcp.js";
import { readPngCode } from "../../support/qr-reader.js";
import { showView } from "../../support/view-host.js";

const hostile = '<img src=x onerror="document.title = 1"></script><b>Pump</b>';
const server = useServer();
const chromium = useChromium();

const textOf = (view: Frame, selector: string) => view.locator(selector).innerText();
const message = (view: Frame) => view.locator("#message");

describe("labels view", () => {
  const tool = "generate_asset_qr_codes";
  let owner: Connected;
  let numbers: string[] = [];

  beforeAll(async () => {
    owner = await connect(server());
    const names = [hostile, "Boiler", ...Array.from({ length: 6 }, (_, index) => `Lamp ${index}`)];
    const { assets } = await owner.ok<{ assets: { inventory_number: string }[] }>("create_asset", {
      assets: names.map((name) => ({ name })),
    });
    numbers = assets.map(({ inventory_number }) => inventory_number);
  });

  const codesOf = async (asset_ids: string[]) => {
    const { codes } = await owner.ok<{ codes: { encoded_url: string }[] }>(tool, { asset_ids });
    return codes.map(({ encoded_url }) => encoded_url);
  };

  browserTest.each(["2025-11-25", "2026-07-28"] as const)(
    "previews a partly used sheet before printing, in revision %s",
    async (era) => {
      const args = { asset_ids: numbers, label_fields: ["name", "location"], format: "pdf_sheet" };
      const shown = await showView(chromium(), server(), owner, { tool, args, era });
      const { view } = shown;
      const picture = view.getByRole("img");

      await view.getByRole("combobox", { name: "Labels" }).selectOption("avery_5163");
      expect(await picture.getAttribute("aria-label")).toBe(
        "Page 1 of 1: 0 of 10 labels already used, then 8 new labels.",
      );
      await view.locator(".place").nth(4).click();
      expect(await view.getByLabel("Labels already used on the first page").inputValue()).toBe("4");
      expect(await picture.getAttribute("aria-label")).toBe(
        "Page 1 of 2: 4 of 10 labels already used, then 6 new labels.",
      );
      const first = view.locator(".place").nth(4);
      expect(await first.locator(".text").allInnerTexts()).toEqual([`${hostile}\n(location)`]);
      expect(readPngCode(await first.screenshot())).toBe((await codesOf(numbers))[0]);
      await view.getByRole("button", { name: "Next page" }).click();
      expect(await view.locator("#preview .text").allInnerTexts()).toEqual([
        "Lamp 4\n(location)",
        "Lamp 5\n(location)",
      ]);

      await view.getByRole("button", { name: "Open label sheet" }).click();
      await message(view).getByText("The file is open in your browser.").waitFor();
      const { calls, links } = await shown.heard();
      expect(calls).toMatchObject([
        {
          name: tool,
          arguments: {
            format: "pdf_sheet",
            label_template: "avery_5163",
            skip_labels: 4,
            label_fields: ["name", "location"],
          },
        },
      ]);
      expect(links).toHaveLength(1);
      const file = await fetch(links[0] ?? "");
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"]);
      expect(await message(view).innerText()).toContain("2 pages. Print at 100 %.");
      expect(shown.complaints).toEqual([]);
      await shown.close();
    },
  );

  browserTest("shows single codes, one label per page, and assets without a label", async () => {
    const args = { asset_ids: `${numbers.slice(0, 2).join(",")},X-999` };
    const shown = await showView(chromium(), server(), owner, { tool, args });
    const { view } = shown;
    await view.getByRole("img").waitFor();

    expect(await textOf(view, "#summary")).toBe(
      "2 labels. No label for X-999: not found, or in a workspace you can't see.",
    );
    await view.getByRole("combobox", { name: "Labels" }).selectOption("dymo_30252");
    expect(await view.getByLabel("Labels already used on the first page").isVisible()).toBe(false);
    expect(await textOf(view, "#page")).toBe("Page 1 of 2");
    await view.getByText("Single codes").click();
    await view.getByRole("button", { name: `Open ${numbers[1]}` }).click();
    await message(view).getByText("The file is open in your browser.").waitFor();
    const { links } = await shown.heard();
    const file = await fetch(links[0] ?? "");
    expect(file.headers.get("content-type")).toBe("image/png");
    expect(readPngCode(Buffer.from(await file.arrayBuffer()))).toBe((await codesOf(numbers))[1]);
    expect(shown.complaints).toEqual([]);
    await shown.close();
  });

  browserTest.each([
    { theme: "light", width: 390 },
    { theme: "dark", width: 800 },
  ] as const)("axe finds nothing at $width in $theme", async ({ theme, width }) => {
    const args = { asset_ids: numbers, label_template: "avery_l4731", format: "pdf_sheet" };
    const shown = await showView(chromium(), server(), owner, {
      ...{ tool, args, width },
      context: { theme },
    });
    await shown.view.getByRole("img").waitFor();

    expect(await runAxe(shown.view)).toEqual([]);
    expect(
      await shown.view.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    ).toBe(true);
    expect(await shown.page.evaluate(() => window.endView())).toEqual({});
    await shown.close();
  });

  browserTest(
    "shows the file address in apps without links, and the message of a refusal",
    async () => {
      const args = { asset_ids: numbers, format: "pdf_sheet", skip_labels: 3 };
      const shown = await showView(chromium(), server(), owner, {
        tool,
        args,
        capabilities: { serverTools: {} },
      });
      const { view } = shown;
      await view.getByRole("img").waitFor();
      expect(await view.getByLabel("Labels already used on the first page").inputValue()).toBe("3");
      await view.getByLabel("Labels already used on the first page").fill("99");
      await view.getByLabel("Labels already used on the first page").blur();
      expect(await view.getByLabel("Labels already used on the first page").inputValue()).toBe(
        "20",
      );

      await view.getByRole("button", { name: "Open label sheet" }).click();
      const address = view.getByLabel("File address");
      await address.waitFor();
      expect(await address.inputValue()).toMatch(/^http:\/\/localhost:\d+\/labels\//);

      await owner.ok("update_asset_state", { asset_ids: numbers, state: "deleted" });
      await view.getByRole("button", { name: "Open label sheet" }).click();
      await view.locator("#message.failed").waitFor();
      expect(await message(view).innerText()).toContain("deleted assets get no labels");
      await shown.close();
    },
  );
});
