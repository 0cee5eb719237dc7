import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, test, TestRunner } from "vitest";

const usualPlaces = [
  // Without the desktop windows, which take half of the time.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

function findChromium(): string | undefined {
  return [process.env["CHROMIUM_PATH"] ?? "", ...usualPlaces].find(
    (path) => path !== "" && existsSync(path),
  );
}

const mayRun = findChromium() !== undefined || process.env["CI"] === "true";
const tags = ["browser"];
const tagged = test.runIf(mayRun);

type Run<T extends unknown[]> = (...given: T) => Promise<void>;

/**
 * Defines a browser test. Without Chromium it is skipped, or fails the run in CI. A tag lets a run
 * exclude these tests.
 */
export const browserTest = Object.assign(
  (name: string, run: Run<[]>, timeout?: number) => {
    tagged(name, { tags, ...(timeout !== undefined && { timeout }) }, () => run());
  },
  {
    each:
      <T>(cases: readonly T[]) =>
      (name: string, run: Run<[T]>, timeout?: number) => {
        tagged.each(cases)(name, { tags, ...(timeout !== undefined && { timeout }) }, run);
      },
  },
);

async function launchChromium(more: readonly string[]): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error("No Chromium found. Install it, or set CHROMIUM_PATH to it.");
  }
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      // The test's other sites.
      "--host-resolver-rules=MAP *.example 127.0.0.1",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  });
}

/** Starts one browser for the test file, with additional arguments if given. */
export function useChromium(more: readonly string[] = []): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (mayRun && TestRunner.matchesTags(tags)) browser = await launchChromium(more);
  });
  afterAll(async () => {
    await browser?.close();
  });
  return () => {
    if (browser === undefined) throw new Error("The browser is there only while tests run.");
    return browser;
  };
}
