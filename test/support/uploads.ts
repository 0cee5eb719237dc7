import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { expect, vi } from "vitest";
import { findForms, type TestBrowser } from "./browser.js";

export async function upload(
  app: FastifyInstance,
  browser: TestBrowser,
  address: string,
  {
    fields = {},
    ...file
  }: { name: string; content: Buffer | string; fields?: Record<string, string> },
): Promise<LightMyRequestResponse> {
  const page = await browser.get(address);
  const form = findForms(page.body).find(({ hidden }) => "_organization" in hidden);
  const data = new FormData();
  for (const [name, value] of Object.entries({ ...form?.hidden, ...fields }))
    data.append(name, value);
  data.append("file", new Blob([new Uint8Array(Buffer.from(file.content))]), file.name);
  const request = new Request("http://localhost", { method: "POST", body: data });
  const { origin, host } = new URL(app.services.config.baseUrl);
  return app.inject({
    method: "POST",
    url: address,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      "content-type": request.headers.get("content-type") ?? "",
      cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; "),
      accept: "text/html",
      host,
      origin,
    },
  });
}

export async function planTable(
  app: FastifyInstance,
  browser: TestBrowser,
  { kind, ...file }: { name: string; content: Buffer | string; kind: string },
): Promise<LightMyRequestResponse> {
  const sent = await upload(app, browser, "/import", { ...file, fields: { kind } });
  expect(sent.statusCode, sent.body).toBe(303);
  const address = String(sent.headers.location);
  // On a slow machine, reading the rows takes longer than the response waits.
  return vi.waitUntil(async () => {
    const page = await browser.get(address);
    return page.headers["refresh"] === undefined && page;
  }, 60_000);
}

/** Presses "Import 4 assets" on a plan. */
export function pressImport(
  browser: TestBrowser,
  plan: LightMyRequestResponse,
  fields: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const { pathname } = new URL(String(plan.raw.req.url), "http://localhost");
  return browser.submitForm(plan, fields, { action: `${pathname}/apply` });
}
