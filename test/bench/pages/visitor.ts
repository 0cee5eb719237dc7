import { randomInt } from "node:crypto";
import { attributeOf, findForms } from "../../support/browser.js";

export interface Visit {
  status: number;
  body: string;
  /** Until the response was read completely. */
  ms: number;
  to?: string;
}

/** A signed-in person over HTTP, one request after the other. */
export interface Visitor {
  get: (address: string) => Promise<Visit>;
  /** Submits the page's form for the action with the given fields and follows the redirect. */
  send: (page: string, action: string, given?: Record<string, string | File>) => Promise<Visit>;
}

export async function signIn(baseUrl: string, email: string, password: string): Promise<Visitor> {
  const cookies = new Map<string, string>();
  // Servers that trust a proxy count requests by this address.
  const from = [192, 0, 2, randomInt(256)].join(".");

  async function visit(address: string, form?: URLSearchParams | FormData): Promise<Visit> {
    const began = performance.now();
    const answer = await fetch(new URL(address, baseUrl), {
      redirect: "manual",
      headers: {
        accept: "text/html",
        "x-forwarded-for": from,
        cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
        ...(form !== undefined && { origin: baseUrl, "sec-fetch-site": "same-origin" }),
      },
      ...(form !== undefined && { method: "POST", body: form }),
    });
    const body = await answer.text();
    const ms = performance.now() - began;
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=", 2);
      cookies.set(name, value);
    }
    const to = answer.headers.get("location");
    if (to?.startsWith("/oauth/consent/") === true) return visit(to);
    return { status: answer.status, body, ms, ...(to !== null && { to }) };
  }

  async function send(
    page: string,
    action: string,
    given: Record<string, string | File> = {},
  ): Promise<Visit> {
    const { body } = await visit(page);
    const form = findForms(body).find((one) => (one.action ?? page) === action);
    const hasFile = Object.values(given).some((value) => typeof value !== "string");
    const data = hasFile ? new FormData() : new URLSearchParams();
    for (const [name, value] of Object.entries({ ...form?.hidden, ...given })) {
      data.append(name, value as string);
    }
    const answer = await visit(action, data);
    if (answer.to === undefined) throw new Error(`${action} was answered with ${answer.status}.`);
    return { ...(await visit(answer.to)), to: answer.to };
  }

  const page = await visit("/signin");
  const [form] = findForms(page.body);
  const answer = await visit("/signin", new URLSearchParams({ ...form?.hidden, email, password }));
  if (answer.status !== 303) throw new Error(`Sign-in was answered with ${answer.status}.`);
  return { get: (address) => visit(address), send };
}

/** Returns the first link address on a page that matches. */
export function linkOn(body: string, pattern: RegExp): string {
  for (const [tag] of body.matchAll(/<a\b[^>]*>/g)) {
    const href = attributeOf(tag, "href");
    if (href !== undefined && pattern.test(href)) return href;
  }
  throw new Error(`No link fits ${String(pattern)}.`);
}
