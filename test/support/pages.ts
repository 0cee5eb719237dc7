import type { Browser, Page } from "playwright-core";
import type { TestApp } from "./app.js";
import { runAxe } from "./axe.js";
import type { Member } from "./builders.js";
import { signIn } from "./oauth.js";

/**
 * Combinations of width and colour scheme, with and without scripts. The two with scripts share one
 * scheme. See `findProblems`.
 */
export const views = [
  { width: 390, colorScheme: "light", javaScriptEnabled: true },
  { width: 1280, colorScheme: "dark", javaScriptEnabled: false },
  { width: 390, colorScheme: "dark", javaScriptEnabled: false },
  { width: 1280, colorScheme: "light", javaScriptEnabled: true },
] as const;

export type View = (typeof views)[number] & { hasTouch?: boolean; isMobile?: boolean };

export interface OpenPage {
  page: Page;
  /** Console errors, blocked content and failed requests since the page was opened. */
  complaints: string[];
  close: () => Promise<void>;
}

/** Opens a page in a new browser. With a member, it is signed in. */
export async function openPage(
  chromium: Browser,
  { app, config }: TestApp,
  member?: Member,
  view: View = views[3],
): Promise<OpenPage> {
  const { width, ...look } = view;
  const context = await chromium.newContext({
    reducedMotion: "reduce",
    ...look,
    viewport: { width, height: 800 },
    baseURL: config.baseUrl,
  });
  if (member !== undefined) {
    const { cookies } = await signIn(app, member);
    // Browsers treat localhost as secure without TLS.
    const url = config.baseUrl.replace("http:", "https:");
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // A refused form is answered with 400, and Chromium logs that for every document.
    const isRefusal = /the server responded with a status of 4\d\d/.test(message.text());
    if (message.type() === "error" && !isRefusal) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(config.baseUrl)) complaints.push(`asks for ${request.url()}`);
  });
  return {
    page,
    complaints,
    close: async () => {
      await context.close();
    },
  };
}

/**
 * Returns the page's problems: horizontal scrolling, and WCAG A and AA violations found by axe.
 * Rules about looks are also checked in the other colour scheme at the other width, so the two
 * views with scripts cover all four looks. axe needs timers, which don't fire without scripts. The
 * document is identical there.
 */
export async function findProblems(page: Page): Promise<string[]> {
  const sideways = await findSideways(page);
  const withoutScripts = await page.evaluate(() => matchMedia("(scripting: none)").matches);
  if (withoutScripts) return sideways;
  const found = await runAxe(page);
  return [...sideways, ...found, ...(await findProblemsOfOtherLook(page))];
}

/** Rules that depend on colours and sizes. */
const looks = [
  "color-contrast",
  "target-size",
  "link-in-text-block",
  "scrollable-region-focusable",
];

async function findProblemsOfOtherLook(page: Page): Promise<string[]> {
  const own = page.viewportSize() ?? { width: 1280, height: 800 };
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const width = own.width > 600 ? 390 : 1280;
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  await page.setViewportSize({ ...own, width });
  const found = [...(await findSideways(page)), ...(await runAxe(page, looks))];
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
  await page.setViewportSize(own);
  return found.map((problem) => `${isDark ? "light" : "dark"} at ${width}: ${problem}`);
}

async function findSideways(page: Page): Promise<string[]> {
  const isTooWide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  return isTooWide ? ["scrolls sideways"] : [];
}

/**
 * Opens each address in one view and returns its problems by address. An address must answer 200.
 */
export async function sweep(
  opened: OpenPage,
  addresses: readonly string[],
): Promise<Record<string, string[]>> {
  const problems: Record<string, string[]> = {};
  for (const address of addresses) {
    const answer = await opened.page.goto(address);
    // Stops a self-refreshing page before it can reload during the checks.
    await opened.page.evaluate(() => {
      window.stop();
    });
    const found = await findProblems(opened.page);
    if (answer?.status() !== 200) found.push(`answers ${String(answer?.status())}`);
    found.push(...opened.complaints.splice(0));
    if (found.length > 0) problems[address] = found;
  }
  return problems;
}
