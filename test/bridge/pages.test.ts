import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect } from "vitest";
import {
  deniedPage,
  failedPage,
  type Page,
  pageHeaders,
  signedInPage,
  unknownPage,
  usedPage,
} from "../../bridge/src/sign-in/callback.js";
import { runAxe } from "../support/axe.js";
import { browserTest, useChromium } from "../support/chromium.js";

const longHost = "maintenance-of-everything.internal.northgate-facilities.example.com:8443";
const pages: Record<string, Page> = {
  "/signed-in": signedInPage("fettle.example.com"),
  "/denied": deniedPage(longHost),
  "/failed": failedPage(longHost),
  "/unknown": unknownPage(),
  "/used": usedPage(),
};

describe("final sign-in pages in a real browser", () => {
  const chromium = useChromium();
  const server = createServer(({ url = "" }, response) => {
    const { status, html } = pages[url] ?? unknownPage();
    response.writeHead(status, pageHeaders).end(html);
  });
  let origin: string;
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  browserTest.each(["light", "dark"] as const)(
    "are accessible in %s, on phone and desktop, with nothing blocked or cut off",
    async (colorScheme) => {
      const context = await chromium().newContext({ colorScheme });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on("console", (message) => {
        if (!message.text().includes("Failed to load resource")) problems.push(message.text());
      });

      for (const path of Object.keys(pages)) {
        await page.goto(origin + path);
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          problems.push(...(await runAxe(page)).map((found) => `${path} at ${width}: ${found}`));
          const { scrollWidth, panelWidth } = await page.evaluate(() => ({
            scrollWidth: document.documentElement.scrollWidth,
            panelWidth: document.querySelector("main")?.offsetWidth,
          }));
          expect(scrollWidth).toBe(width);
          expect(panelWidth).toBe(width === 360 ? 360 - 2 * 16 : 448);
        }
      }

      expect(problems).toEqual([]);
      await context.close();
    },
    60_000,
  );
});
