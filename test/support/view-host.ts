import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Frame, Page } from "playwright-core";
import type { TestApp } from "./app.js";
import type { Connected } from "./mcp.js";
import type { Heard, ViewCall } from "./view-host-page.js";

export interface ShownView {
  page: Page;
  view: Frame;
  /** Errors, blocked content and requests to other sites. */
  complaints: string[];
  heard: () => Promise<Heard>;
  close: () => Promise<void>;
}

const document =
  '<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><body></body></html>';

let script: Promise<string> | undefined;

async function bundleHost(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("view-host-page.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * Calls the tool in a host with all capabilities, or the given ones, and shows the view of the
 * result.
 */
export async function showView(
  chromium: Browser,
  { config }: TestApp,
  { token }: Connected,
  {
    width = 800,
    ...call
  }: Pick<ViewCall, "tool" | "args"> &
    Partial<Pick<ViewCall, "capabilities" | "context" | "era">> & { width?: number },
): Promise<ShownView> {
  // A different origin than the server's, as in real hosts.
  const host = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(document);
  }).listen(0, "localhost");
  await once(host, "listening");
  const hostAddress = `http://localhost:${(host.address() as AddressInfo).port}/`;
  const context = await chromium.newContext({
    reducedMotion: "reduce",
    viewport: { width, height: 900 },
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The 2025 client requests a stream, which the server doesn't offer.
    const isNoStream = message.text().endsWith("405 (Method Not Allowed)");
    if (message.type() === "error" && !isNoStream) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    const isKnown =
      url === hostAddress || url === `${config.baseUrl}/mcp` || url === "about:srcdoc";
    if (!isKnown) complaints.push(`asks for ${url}`);
  });
  await page.goto(hostAddress);
  await page.evaluate(await (script ??= bundleHost()));
  const given: ViewCall = {
    address: `${config.baseUrl}/mcp`,
    token,
    era: "2026-07-28",
    capabilities: { openLinks: {}, serverTools: {}, updateModelContext: { text: {} } },
    context: { theme: "light" },
    ...call,
  };
  await page.evaluate(`showView(${JSON.stringify(given)})`);
  const view = page.frames()[1];
  if (view === undefined) throw new Error("There is no view.");
  return {
    page,
    view,
    complaints,
    heard: () => page.evaluate(() => window.heard),
    close: async () => {
      await context.close();
      host.close();
    },
  };
}
