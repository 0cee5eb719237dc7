import { describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect } from "../../support/oauth.js";
import { findProblems } from "../../support/pages.js";

describe("pages in a real browser", () => {
  const current = useServer({ signup: "open", smtpUrl: "smtp://127.0.0.1:1" });
  const chromium = useChromium();

  browserTest(
    "signed-out pages, refusals and confirmations pass WCAG AA in every view",
    async () => {
      const { app, config, db } = current();
      const member = await aMember(db, { name: "Somebody With a Rather Long Name" });
      await connect(app, member, {
        scope: ["mcp_read", "mcp_write", "mcp_destructive"],
        acknowledge_destructive: "yes",
      });
      const context = await chromium().newContext({ viewport: { width: 360, height: 800 } });
      const page = await context.newPage();
      const problems: Record<string, string[]> = {};
      const check = async (name: string) => {
        const found = await findProblems(page);
        if (found.length > 0) problems[name] = found;
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
  );
});
