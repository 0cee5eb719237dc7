import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { useServer } from "../support/app.js";
import { aMember } from "../support/builders.js";
import { browserTest, useChromium } from "../support/chromium.js";
import { connect } from "../support/oauth.js";

async function findProblems(page: Page): Promise<string[]> {
  const { violations, passes } = await new AxeBuilder({ page })
    // Our pages have no frames, so their results need no page of their own to be put together on.
    .setLegacyMode()
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary ?? ""}`),
  );
  expect(passes.length).toBeGreaterThan(5);
  const isTooWide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  return isTooWide ? [...found, "scrolls sideways"] : found;
}

describe("pages in a real browser", () => {
  const current = useServer({ signup: "open" });
  const chromium = useChromium();

  browserTest.each(["light", "dark"] as const)(
    "every page passes WCAG AA in %s, on a phone and on a desk",
    async (colorScheme) => {
      const { app, config, db } = current();
      const member = await aMember(db, { name: `Somebody With a Rather Long Name ${colorScheme}` });
      await connect(app, member, {
        scope: ["mcp_read", "mcp_write", "mcp_destructive"],
        acknowledge_destructive: "yes",
      });
      const context = await chromium().newContext({ colorScheme });
      const page = await context.newPage();
      const problems: Record<string, string[]> = {};
      const check = async (name: string) => {
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          const found = await findProblems(page);
          if (found.length > 0) problems[`${name} at ${width}`] = found;
        }
      };

      for (const path of ["/signin", "/signup", "/password/forgot", "/nothing-here"]) {
        await page.goto(config.baseUrl + path);
        await check(path);
      }
      await page.goto(`${config.baseUrl}/signin`);
      await page.getByLabel("Email").fill(member.email);
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await check("a refused sign-in");
      await page.getByLabel("Password").fill(member.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      for (const path of ["/", "/settings", "/settings/apps"]) {
        await page.goto(config.baseUrl + path);
        await check(path);
      }
      await page.getByRole("link", { name: /^Disconnect/ }).click();
      await check("the question before a disconnection");
      await page.getByRole("button", { name: "Disconnect" }).click();
      await check("no app connected");

      expect(problems).toEqual({});
      await context.close();
    },
    90_000,
  );
});
