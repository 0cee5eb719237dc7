import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { useServer } from "../support/app.js";
import { runAxe } from "../support/axe.js";
import { aMember, type Member } from "../support/builders.js";
import { browserTest, useChromium } from "../support/chromium.js";
import { localNetwork, useDocumentHost } from "../support/client-documents.js";
import { aChallenge, aClient, authorizeUrl } from "../support/oauth.js";

const looks = [
  { width: 390, height: 844, colorScheme: "light" },
  { width: 390, height: 844, colorScheme: "dark" },
  { width: 1280, height: 900, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark" },
] as const;

describe("consent pages in Chromium", () => {
  const browser = useChromium();
  const server = useServer({}, { documentNetwork: localNetwork });
  const host = useDocumentHost();
  let member: Member;

  /** A separate site for any name that ends in `.example`. */
  const pem = readFileSync(new URL("../support/localhost.pem", import.meta.url));
  const site = createServer({ key: pem, cert: pem }, (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<title>app</title>");
  });
  let other = "";
  beforeAll(async () => {
    await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
    other = `https://other.example:${(site.address() as AddressInfo).port}`;
  });
  afterAll(() => site.close());

  beforeAll(async () => {
    member = await aMember(server().db, { name: "Ana Keller", role: "owner" });
    await aMember(server().db, { email: member.email, organization: "Second organization" });
  });

  async function onPage<T>(
    options: BrowserContextOptions,
    work: (page: Page, complaints: string[]) => Promise<T>,
  ): Promise<T> {
    const context = await browser().newContext({
      baseURL: server().config.baseUrl,
      ignoreHTTPSErrors: true,
      ...options,
    });
    const complaints: string[] = [];
    context.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    try {
      return await work(await context.newPage(), complaints);
    } finally {
      await context.close();
    }
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel("Email").fill(member.email);
    await page.getByLabel("Password").fill(member.password);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  /** The person belongs to two organizations, so one must be selected. */
  async function allow(page: Page): Promise<void> {
    await page.getByLabel("Organization").selectOption({ label: "Second organization" });
    await page.getByRole("button", { name: "Allow" }).click();
  }

  async function consentUrl(redirectUri: string): Promise<string> {
    const { app } = server();
    const client = await aClient(app, { client_name: "Planner app", redirect_uris: [redirectUri] });
    return authorizeUrl(client, aChallenge(), { scope: "mcp_read mcp_write" });
  }

  function describedConsentUrl(): string {
    const described = {
      client_name: "Planner app",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
    };
    const redirect_uri = "http://localhost:51234/callback";
    return authorizeUrl(host().describe("/planner.json", described), aChallenge(), {
      redirect_uri,
    });
  }

  browserTest("CON-18: Allow redirects to an https address of another site", async () => {
    await onPage({}, async (page, complaints) => {
      await page.goto(await consentUrl(`${other}/cb`));
      await signIn(page);
      await allow(page);
      await page.waitForURL((url) => url.href.startsWith(`${other}/cb?code=`));
      expect(complaints).toEqual([]);
    });
  });

  browserTest(
    "CON-18: Allow redirects to an app's custom scheme without a policy violation",
    async () => {
      await onPage({}, async (page, complaints) => {
        await page.goto(await consentUrl("cursor://anysphere.cursor-mcp/oauth/callback"));
        await signIn(page);
        const answer = page.waitForResponse((response) => response.request().method() === "POST");
        await allow(page);
        expect((await answer).status()).toBe(303);
        expect((await answer).headers()["location"]).toMatch(/^cursor:\/\/anysphere.+code=/);
        expect(complaints.filter((text) => /policy|refused/i.test(text))).toEqual([]);
      });
    },
  );

  browserTest("CON-19: a client's pop-up keeps its opener at the callback", async () => {
    await onPage({}, async (page) => {
      await page.goto(`${other}/start`);
      const opened = page.waitForEvent("popup");
      const url = server().config.baseUrl + (await consentUrl(`${other}/cb`));
      await page.evaluate((target) => {
        window.open(target);
      }, url);
      const popup = await opened;
      await signIn(popup);
      await allow(popup);
      await popup.waitForURL((to) => to.href.startsWith(`${other}/cb?code=`));
      expect(await popup.evaluate(() => window.opener !== null)).toBe(true);
    });
  });

  browserTest(
    "CON-22: works without scripts by keyboard alone, with the first focus not on Allow",
    async () => {
      await onPage({ javaScriptEnabled: false }, async (page) => {
        await page.goto(await consentUrl("https://other.example/cb"));
        await page.getByLabel("Email").focus();
        await page.keyboard.type(member.email);
        await page.keyboard.press("Tab");
        await page.keyboard.type(member.password);
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/oauth\/consent\//);
        const allow = page.getByRole("button", { name: "Allow" });
        await page.keyboard.press("Tab");
        await expect(isFocused(page, "Allow")).resolves.toBe(false);
        await page.getByLabel("Organization").focus();
        await page.keyboard.type("Second");
        for (let press = 0; press < 20 && !(await isFocused(page, "Allow")); press += 1) {
          await page.keyboard.press("Tab");
        }
        expect(await allow.isVisible()).toBe(true);
        const left = page.waitForRequest(/other\.example\/cb\?code=/);
        await page.keyboard.press("Enter");
        await left;
      });
    },
  );

  browserTest(
    "CON-02: the accessibility tree shows the app, the person and the irreversible deletion",
    async () => {
      await onPage({ javaScriptEnabled: false }, async (page) => {
        await page.goto(await consentUrl("https://other.example/cb"));
        await signIn(page);
        const tree = await page.locator("main").ariaSnapshot();
        for (const words of [
          "Planner app",
          "Unverified",
          "other.example",
          member.email,
          "combobox",
          "I understand that permanently deleted assets cannot be recovered",
          'button "Deny"',
          'button "Allow"',
        ]) {
          expect(tree).toContain(words);
        }
      });
    },
  );

  browserTest("CON-04: the accessibility tree shows the app's verified source", async () => {
    await onPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(describedConsentUrl());
      await signIn(page);
      const tree = await page.locator("main").ariaSnapshot();
      expect(tree).toContain('heading "Planner app wants to connect"');
      expect(tree).toMatch(/Described by.*apps\.example:\d+.*\(verified\)/s);
      expect(tree).not.toContain("Unverified");
    });
  });

  for (const look of looks) {
    const { width, height, colorScheme } = look;
    browserTest(
      `axe finds nothing, nothing scrolls sideways: ${width} px, ${colorScheme}`,
      async () => {
        const viewport = { width, height };
        await onPage({ viewport, colorScheme, bypassCSP: true }, async (page, complaints) => {
          await page.goto("/signin");
          await inspect(page);
          await page.goto(await consentUrl("http://127.0.0.1/callback"));
          await signIn(page);
          await page.waitForURL(/\/oauth\/consent\//);
          await inspect(page);
          await page
            .getByRole("checkbox", { name: /permanently/i })
            .first()
            .check();
          await allow(page);
          await page.waitForSelector("[aria-invalid=true]");
          await inspect(page);
          for (const path of [
            describedConsentUrl(),
            "/",
            "/settings",
            "/settings/apps",
            "/no-such-page",
            "/oauth/authorize",
          ]) {
            await page.goto(path);
            await inspect(page);
          }
          expect(complaints.filter((text) => !/40[04]/.test(text))).toEqual([]);
        });
      },
    );
  }
});

async function isFocused(page: Page, button: string): Promise<boolean> {
  return (await page.locator(`button:focus`, { hasText: button }).count()) > 0;
}

async function inspect(page: Page): Promise<void> {
  const found = await runAxe(page);
  expect({ url: new URL(page.url()).pathname, found }).toMatchObject({ found: [] });
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}
