import { beforeAll, describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { anAsset } from "../../support/asset-pages.js";
import { cameraBefore, refusedCamera } from "../../support/camera.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { findProblems, openPage, views } from "../../support/pages.js";
import { aBuilding, type Building } from "../../support/rounds.js";

const code = "scanned0code";

describe("scanning in a real browser", () => {
  const current = useServer();
  const chromium = useChromium(cameraBefore(`HTTPS://FETTLE.EXAMPLE/Q/${code.toUpperCase()}`));
  const refusing = useChromium(refusedCamera);
  let building: Building;
  beforeAll(async () => {
    building = await aBuilding(current());
    await current().db.query("UPDATE assets SET qr_token = $2 WHERE id = $1", [
      building.pump.id,
      code,
    ]);
    for (const name of ["Meter in the cellar", "Meter under the roof"]) {
      await anAsset(current(), building.team, { name, serial_number: "M-1", location: "Stairs" });
    }
  });

  browserTest.each(views)(
    "a handheld scanner types into the field immediately: %o",
    async (view) => {
      const { page, complaints, close } = await openPage(
        chromium(),
        current(),
        building.team.lead,
        view,
      );
      const problems: Record<string, string[]> = {};
      for (const typed of ["", "NOBODY-1", "M-1"]) {
        await page.goto("/scan");
        // After the script's own focus.
        await page.getByLabel("Inventory, label or serial number").focus();
        if (typed !== "") {
          await page.keyboard.type(typed);
          await page.keyboard.press("Enter");
          await page.waitForURL(/code=/);
        }
        const found = await findProblems(page);
        if (found.length > 0) problems[typed] = found;
      }

      await page.getByRole("link", { name: "Meter in the cellar" }).click();
      await page.getByText("Is the asset in front of you?").waitFor();
      await page.goto("/scan");
      // A script focuses the field.
      if (view.javaScriptEnabled) {
        await page.waitForFunction(() => document.activeElement?.id === "code");
      } else await page.getByLabel("Inventory, label or serial number").focus();
      await page.keyboard.type(building.pump.number);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Pump" }).waitFor();

      expect(problems).toEqual({});
      expect(complaints).toEqual([]);
      expect(new URL(page.url()).pathname).toBe(`/assets/${building.pump.id}`);
      await close();
    },
  );

  browserTest("reads a label with our own library when the browser can't", async () => {
    const { page, complaints, close } = await openPage(chromium(), current(), building.team.member);
    await page.goto("/scan");
    expect(await page.evaluate(() => "BarcodeDetector" in globalThis)).toBe(false);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));

    await page.getByRole("button", { name: "Scan with the camera" }).click();
    await page.getByRole("heading", { name: "Pump" }).waitFor();

    expect(new URL(page.url()).search).toBe("?scanned=1");
    expect(asked.filter((path) => path.startsWith("/static/qr-"))).toHaveLength(2);
    expect(complaints).toEqual([]);
    await close();
  });

  // Headless Chromium on Linux has no BarcodeDetector and its camera has no light. Both are mocked.
  browserTest("uses the browser's reader when available, with a button for the light", async () => {
    const { page, complaints, close } = await openPage(chromium(), current(), building.team.member);
    await page.addInitScript((number) => {
      const seen = { light: [] as unknown[], codes: [] as { rawValue: string }[] };
      class BarcodeDetector {
        static getSupportedFormats = async () => ["qr_code", "code_128"];
        detect = async () => seen.codes;
      }
      MediaStreamTrack.prototype.getCapabilities = () =>
        ({ torch: true }) as MediaTrackCapabilities;
      MediaStreamTrack.prototype.applyConstraints = async (given) => {
        seen.light.push(given?.advanced);
      };
      const show = () => (seen.codes = [{ rawValue: number }]);
      Object.assign(globalThis, { BarcodeDetector, seen, show });
    }, building.pump.number);
    await page.goto("/scan");

    await page.getByRole("button", { name: "Scan with the camera" }).click();
    const light = page.getByRole("button", { name: "Light" });
    await light.click();
    await page.waitForFunction(() => document.querySelector('[aria-pressed="true"]') !== null);
    await light.click();
    await page.waitForFunction(() => document.querySelector('[aria-pressed="true"]') === null);
    const problems = await findProblems(page);
    const switched = await page.evaluate("seen.light");
    await page.evaluate("show()");
    await page.getByRole("heading", { name: "Pump" }).waitFor();

    expect(switched).toEqual([[{ torch: true }], [{ torch: false }]]);
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  browserTest("puts the camera first on a touch screen, without opening the keyboard", async () => {
    const { page, complaints, close } = await openPage(
      refusing(),
      current(),
      building.team.member,
      { ...views[0], hasTouch: true, isMobile: true },
    );
    await page.goto("/scan");
    const start = page.getByRole("button", { name: "Scan with the camera" });
    await page.waitForFunction(() => document.querySelector(".camera + .field") !== null);

    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
    const [camera, field] = [await start.boundingBox(), await page.locator("#code").boundingBox()];
    expect(camera?.y).toBeLessThan(field?.y ?? 0);
    expect(await findProblems(page)).toEqual([]);
    // The keys of a hand-held scanner.
    await page.keyboard.type(building.pump.number);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Pump" }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  browserTest("reports a refused camera and keeps the field", async () => {
    const { page, close } = await openPage(refusing(), current(), building.team.member);
    await page.goto("/scan");

    await page.getByRole("button", { name: "Scan with the camera" }).click();
    await page.getByText("Camera access is blocked.").waitFor();
    expect(await findProblems(page)).toEqual([]);
    await page.getByLabel("Inventory, label or serial number").fill(building.pump.number);
    await page.getByRole("main").getByRole("button", { name: "Find" }).click();
    await page.getByRole("heading", { name: "Pump" }).waitFor();
    await close();
  });
});
