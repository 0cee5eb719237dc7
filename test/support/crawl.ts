import type { TestBrowser } from "./browser.js";

export type Answer = Awaited<ReturnType<TestBrowser["get"]>>;

/** Returns the kind of an address, with ids replaced by `:id`. */
export function kindOf(address: string): string {
  return address
    .replace(/[?#].*$/, "")
    .replaceAll(/\b[a-z]{3}_[0-9a-z]{12}\b|(?<=\/q\/)\w+|[\w-]{30,}/g, ":id");
}

export function isPage({ headers }: Answer): boolean {
  return String(headers["content-type"]).startsWith("text/html");
}

interface CrawlOptions {
  /** Maximum number of pages per kind. */
  each?: number;
  headers?: Record<string, string>;
  without?: RegExp;
}

/** Opens the addresses and everything they link to. Returns text responses by address. */
export async function crawl(
  browser: TestBrowser,
  starts: readonly string[],
  { each = 3, headers = {}, without = /^\/static/ }: CrawlOptions = {},
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const times = new Map<string, number>();
  const queue = [...starts];
  for (const address of queue) {
    const kind = kindOf(address);
    const count = (times.get(kind) ?? 0) + 1;
    if (answers.has(address) || count > each || without.test(kind)) continue;
    times.set(kind, count);
    const answer = await browser.get(address, headers);
    queue.push(...linksOf(answer));
    if (isText(answer)) answers.set(address, answer);
  }
  return answers;
}

function isText({ headers }: Answer): boolean {
  return /^text|json/.test(String(headers["content-type"]));
}

function linksOf({ headers: { location }, body }: Answer): string[] {
  if (typeof location === "string") return [location];
  return [...body.matchAll(/href="(\/[^"#]*)/g)].map(([, link = ""]) =>
    link.replaceAll("&amp;", "&"),
  );
}
