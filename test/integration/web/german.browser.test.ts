import type { Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { aGermanOrganization, type GermanOrganization } from "../../support/german-organization.js";
import { openPage, sweep, views } from "../../support/pages.js";

const current = useServer({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "werk@nord.example" });
const chromium = useChromium();

let organization: GermanOrganization;

beforeAll(async () => {
  organization = await aGermanOrganization(current());
});

/** Frequent pages, and pages with the longest German words. */
function addressesOf({ asset, task, member, addresses }: GermanOrganization): string[] {
  return [
    ...["/", "/assets", `/assets/${asset.id}`, "/assets/new", "/tasks", `/tasks/${task}`],
    ...[
      `/tasks/${task}/complete`,
      "/plan",
      "/plan?view=month",
      "/reports",
      "/trends",
      "/workspaces",
      "/import",
    ],
    ...["/settings", "/settings/members", `/settings/members/${member.userId}`],
    ...["/settings/organization", "/settings/security", "/settings/webhooks", "/settings/activity"],
    ...addresses.filter((address) => /^\/(?:import|rounds|oauth)\//.test(address)).slice(0, 3),
  ];
}

/** Buttons and button-like links whose text is cut off, and whether the page scrolls sideways. */
async function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const hidden = ".visually-hidden, .skip, details:not([open]) > :not(summary)";
    const cut = [
      ...document.querySelectorAll<HTMLElement>("button, .button, nav a, summary, td, .plan-card"),
    ]
      .filter((element) => element.offsetParent !== null)
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        const isAway = right < 0 || element.closest(hidden) !== null;
        const scrolls = element.closest("nav, .scroll, .table-scroll") !== null;
        const isOver = !scrolls && (left < -1 || right > root.clientWidth + 1);
        return !isAway && (isOver || element.scrollWidth > element.clientWidth + 1);
      })
      .map((element) => `cut off: ${element.innerText.trim()}`);
    const isWide = (element: Element) =>
      element.getBoundingClientRect().right > root.clientWidth + 1 &&
      element.closest(hidden) === null &&
      element.closest("nav, .scroll, .table-scroll") === null;
    const widest = [...document.querySelectorAll("body *")].filter(
      (element) => isWide(element) && ![...element.children].some(isWide),
    );
    return root.scrollWidth > root.clientWidth
      ? [...cut, `scrolls sideways: ${widest.map(({ className }) => className).join(", ")}`]
      : cut;
  });
}

/** Texts of one or two letters a line, and texts that overlap others. */
async function findUnreadable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const aside = ".visually-hidden, .day-long, thead, svg, nav, .selection-bar, .about";
    const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, 4);
    const lines: { words: string; box: DOMRect }[] = [];
    const found: string[] = [];
    while (texts.nextNode() !== null) {
      const words = String(texts.currentNode.textContent).trim();
      const parent = texts.currentNode.parentElement;
      const isShown = parent?.checkVisibility({ contentVisibilityAuto: true }) === true;
      if (words === "" || !isShown || parent.closest(aside) !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (boxes.length > 3 && words.length / boxes.length < 3) found.push(`in letters: ${words}`);
      for (const { words: other, box } of lines) {
        const isOver = boxes.some(
          ({ left, right, top, bottom }) =>
            Math.min(right, box.right) - Math.max(left, box.left) > 3 &&
            Math.min(bottom, box.bottom) - Math.max(top, box.top) > 6,
        );
        if (isOver) found.push(`${words} over ${other}`);
      }
      lines.push(...boxes.map((box) => ({ words, box })));
    }
    return found;
  });
}

describe("pages in German in a real browser", () => {
  browserTest("pass WCAG AA at both widths, in light and dark mode", async () => {
    const opened = await openPage(chromium(), current(), organization.owner, views[0]);

    const most = addressesOf(organization).filter((_, place) => place % 2 === 0);
    expect(await sweep(opened, most)).toEqual({});
    await opened.close();
  });

  browserTest("cut off no words, even at twice the text size", async () => {
    const problems: Record<string, string[]> = {};
    for (const view of [views[2], views[1]]) {
      const opened = await openPage(chromium(), current(), organization.owner, view);
      for (const address of addressesOf(organization)) {
        await opened.page.goto(address);
        for (const size of ["100%", "200%"]) {
          await opened.page.evaluate((fontSize) => {
            document.documentElement.style.fontSize = fontSize;
          }, size);
          const found = [
            ...(await findCutOff(opened.page)),
            ...(await findUnreadable(opened.page)),
          ];
          if (found.length > 0) problems[`${address} ${view.width} ${size}`] = found;
        }
      }
      await opened.close();
    }
    expect(problems).toEqual({});
  });
});
