import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { press } from "../../support/browser.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { findProblems, openPage, sweep, views } from "../../support/pages.js";
import { pressImport, upload } from "../../support/uploads.js";

const unbroken = "Umwälzpumpenersatzteilbeschaffungsverfahren".repeat(4);
const file = `Asset Tag,Name,Workspace,Location,Purchase Date,Notes on it
A-1,Pump,Hall,${unbroken},2024-02-01,x
A-2,${unbroken},Hall,Roof,,
A-3,Fan,Nowhere,Roof,1/2/2024,
A-4,Motor,Hall,,,
`;

describe("imports and undo in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Connected;
  let addresses: string[];

  beforeAll(async () => {
    owner = await connect(current(), { workspace: "Hall", name: "Dara Novak" });
    const { app } = current();
    for (const asset of [
      { name: "Old pump", inventory_number: "A-1" },
      { name: "Motor", inventory_number: "A-4" },
    ]) {
      await owner.ok("create_asset", { ...asset, workspace_id: "Hall" });
    }
    await owner.ok("update_asset", { asset_id: "A-4", description: unbroken, tags: ["a"] });
    const browser = await signIn(app, owner.member);
    const send = async (content: string) => {
      const given = { name: "machines.csv", content, fields: { kind: "assets" } };
      const sent = await upload(app, browser, "/import", given);
      return String(sent.headers.location);
    };
    const planned = await send(file);
    const applied = await send(file);
    await pressImport(browser, await browser.get(applied));
    const undone = await send("Name,Tag\nFan,B-1\nMotor,B-2\n");
    await pressImport(browser, await browser.get(undone));
    await owner.ok("update_asset", { asset_id: "B-2", name: "Kept" });
    await press(browser, await browser.get(`${undone.replace("import", "changes")}/undo`), "Undo");
    addresses = [
      ...["/import", planned, `${planned}?show=wrong`, applied, undone],
      ...[applied.replace("import", "changes"), `${applied.replace("import", "changes")}/undo`],
      ...["/settings/apps", "/settings/activity"],
      `/settings/apps/${owner.connectionId}/undo?span=all`,
      ...["/assets", "/tasks"],
    ];
  });

  browserTest.each(views)(
    "every page passes the checks at $width px, $colorScheme, scripts $javaScriptEnabled",
    async (view) => {
      const opened = await openPage(chromium(), current(), owner.member, view);
      expect(await sweep(opened, addresses)).toEqual({});
      await opened.close();
    },
  );

  browserTest.each([views[0], views[1]])(
    "imports a file and undoes the import, at $width px",
    async (view) => {
      const opened = await openPage(chromium(), current(), owner.member, view);
      const { page } = opened;
      const path = join(mkdtempSync(join(tmpdir(), "fettle-import-")), "list.csv");
      const number = `W-${view.width}`;
      writeFileSync(path, `Inventory number,Name\n${number},Brought in\n${number},Twice\n`);

      await page.goto("/import");
      await page.getByLabel("File contents").selectOption("assets");
      await page.getByLabel("File", { exact: true }).setInputFiles(path);
      await page.getByRole("button", { name: "Preview import" }).click();
      await page.getByText(`Line 2: ${number} Brought in`).waitFor();
      await page.getByText("1 new, 0 changed, 0 unchanged, 1 wrong").waitFor();
      await page.getByRole("button", { name: "Import 1 asset" }).click();
      await page.getByText("1 row imported").waitFor();
      expect(await findProblems(page)).toEqual([]);
      await page.getByRole("link", { name: "Undo" }).click();
      await page.getByText("Will be retired").waitFor();
      expect(await findProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Undone: 1 retired.").waitFor();
      const found = await owner.ok("list_assets", { query: number });
      expect(found).toMatchObject({ total_count: 0 });
      expect(opened.complaints).toEqual([]);
      await opened.close();
    },
  );
});
