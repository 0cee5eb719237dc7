import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isOfOtherUser } from "../common/peer.js";

export interface Page {
  status: number;
  html: string;
}

/** Fettle's colors and sizes, to match the sign-in page that the browser showed just before. */
const style = `:root{color-scheme:light dark;--ink:#1b1f24;--ink-soft:#57606a;--paper:#fbfbf9;--panel:#fff;--line:#e3e3de;--accent:#1f6f5c;--good:#2e7d32;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ec;--ink-soft:#9aa4ae;--paper:#14171a;--panel:#1b1f23;--line:#2d333a;--accent:#5cc4a8;--good:#7bc77f;--bad:#ff8a80}}
body{margin:0;padding:clamp(24px,8vh,72px) 16px 48px;background:var(--paper);color:var(--ink);font:.9375rem/1.5 system-ui,"Segoe UI",Roboto,sans-serif;text-align:center}
header{display:flex;justify-content:center;align-items:center;gap:8px;margin-bottom:24px;font-size:1.125rem;font-weight:650;letter-spacing:-.01em}
header svg{color:var(--accent)}
main{box-sizing:border-box;max-width:28rem;margin:0 auto;padding:32px 24px;border:1px solid var(--line);border-radius:6px;background:var(--panel)}
h1{margin:12px 0;font-size:1.5rem;line-height:1.2;letter-spacing:-.01em;text-wrap:balance}
p{margin:0;overflow-wrap:anywhere;text-wrap:balance}
p+p{margin-top:12px;color:var(--ink-soft)}
.good{color:var(--good)}
.bad{color:var(--bad)}
.soft{color:var(--ink-soft)}
@media (max-width:480px){main{padding:24px 16px}}`;

/** Icons of different shapes, readable without color. */
const signs = {
  good: '<circle cx="12" cy="12" r="10"/><path d="m7.5 12.5 3 3 6-6.5"/>',
  soft: '<circle cx="12" cy="12" r="10"/><path d="M7.5 12h9"/>',
  bad: '<path d="M12 3 22 20.5H2Z"/><path d="M12 10v4.5M12 17.5v.01"/>',
} as const;

/** For every page: loads, caches, frames and discloses nothing. */
export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${sha256(style).toString("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

export const signedInPage = (host: string): Page =>
  page(200, "good", "You are signed in", [
    `Your assistant can now use ${host} for you.`,
    "You can close this window, go back to your assistant and ask: “Which warranties end this year?”",
  ]);

export const deniedPage = (host: string): Page =>
  page(200, "soft", "Access was not given", [
    `Nothing was shared, and your assistant is not signed in to ${host}.`,
    "If that was a mistake, ask your assistant again. You can close this window.",
  ]);

export const failedPage = (host: string): Page =>
  page(502, "bad", "The sign-in did not work", [
    `Your assistant is not signed in to ${host}.`,
    "Go back to your assistant: it can say why, and try again. You can close this window.",
  ]);

export const unknownPage = (): Page =>
  page(400, "soft", "This link does not belong here", [
    "It is not part of the sign-in that is under way. Nothing was changed.",
    "Go back to the window in which you are signing in, or start again from your assistant.",
  ]);

/** For the second visit to a single-use address. */
export const usedPage = (): Page =>
  page(410, "soft", "This link was used already", [
    "It works once, so no one else on this computer can continue your sign-in.",
    "To begin again, open the address that your assistant or your terminal shows, or ask your assistant to sign in.",
  ]);

function page(
  status: number,
  sign: keyof typeof signs,
  title: string,
  paragraphs: readonly string[],
): Page {
  const text = paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`).join("\n");
  return {
    status,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - fettle-bridge</title>
<style>${style}</style>
</head>
<body>
<header>
<svg viewBox="0 0 32 32" width="28" height="28" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
<path d="M4 17.5 11 25 28 7"/><path d="M27 27 14.6 14.6M15.2 10.9a5.6 5.6 0 0 0-7-7l3.2 3.3-.9 3.3-3.3.9-3.3-3.2a5.6 5.6 0 0 0 7 7"/>
</svg>
<span>fettle-bridge</span>
</header>
<main>
<svg class="${sign}" viewBox="0 0 24 24" width="40" height="40" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${signs[sign]}</svg>
<h1>${title}</h1>
${text}
</main>
</body>
</html>
`,
  };
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);
}

interface ExpectedCallback {
  url: string;
  state: string;
  /** Called once with the redirect's parameters. The returned page is displayed. */
  complete: (parameters: URLSearchParams) => Promise<Page>;
}

const host = "127.0.0.1";
const callbackPath = "/callback";
const lastAnswerMs = 2_000;

export type CallbackListener = Awaited<ReturnType<typeof openCallback>>;

/**
 * Listens on the loopback interface (RFC 8252 §7.3). Rejects with the system's error if the port is
 * in use.
 */
export async function openCallback(port: number) {
  // Other users of the machine can reach the port, and the address contains the `state`.
  const [shortPath, oneShotPath] = [makePath(), makePath()];
  let answer = (_: URL, response: ServerResponse): void => {
    refuse(response);
  };
  const server = createServer();
  server.listen(port, host);
  await once(server, "listening");
  const { port: ownPort } = server.address() as AddressInfo;
  const origin = new URL(`http://${host}:${ownPort}`);
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const target = toTarget(request, origin);
    if (target === undefined) refuse(response);
    else
      void isOfOtherUser(request.socket).then((isOther) => {
        if (isOther) refuse(response);
        else answer(target, response);
      });
  });
  return {
    port: ownPort,
    redirectUri: new URL(callbackPath, origin).href,
    shortAddress: new URL(shortPath, origin).href,
    /** Single-use: leads only the first visitor to the sign-in. */
    oneShotAddress: new URL(oneShotPath, origin).href,
    /** From now on, the short address leads to this sign-in and its redirect is accepted. */
    expect: (signIn: ExpectedCallback): void => {
      // A browser may request one address twice: the exchange happens once and both requests get
      // its page.
      let page: Promise<Page> | undefined;
      const redirectFirst = createOneShot(signIn.url);
      answer = ({ pathname, searchParams }, response) => {
        if (pathname === shortPath) redirect(response, signIn.url);
        else if (pathname === oneShotPath) redirectFirst(response);
        else if (pathname !== callbackPath) refuse(response);
        else if (!isOnlyState(searchParams, signIn.state)) refuse(response);
        else void (page ??= signIn.complete(searchParams)).then(show(response));
      };
    },
    close: (): Promise<void> => closeServer(server),
  };
}

function makePath(): string {
  return `/${randomBytes(9).toString("base64url")}`;
}

async function closeServer(server: Server): Promise<void> {
  const limit = setTimeout(() => {
    server.closeAllConnections();
  }, lastAnswerMs);
  server.close();
  server.closeIdleConnections();
  await once(server, "close");
  clearTimeout(limit);
}

/**
 * Returns undefined unless it is a GET for our own numeric address, because names can be rebound.
 */
function toTarget(request: IncomingMessage, origin: URL): URL | undefined {
  const { method, url = "", headers } = request;
  if (method !== "GET" || headers.host !== origin.host || !url.startsWith("/")) return undefined;
  return URL.canParse(url, origin.href) ? new URL(url, origin) : undefined;
}

/** In constant time for both results. */
function isOnlyState(parameters: URLSearchParams, expected: string): boolean {
  const [given = "", ...more] = parameters.getAll("state");
  const equal = timingSafeEqual(sha256(given), sha256(expected));
  return equal && more.length === 0;
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function refuse(response: ServerResponse): void {
  show(response)(unknownPage());
}

function redirect(response: ServerResponse, url: string): void {
  response.writeHead(303, { ...pageHeaders, location: url, connection: "close" }).end();
}

function createOneShot(url: string): (response: ServerResponse) => void {
  let isUsed = false;
  return (response) => {
    if (isUsed) show(response)(usedPage());
    else redirect(response, url);
    isUsed = true;
  };
}

function show(response: ServerResponse): (page: Page) => void {
  return ({ status, html }) => {
    response.writeHead(status, { ...pageHeaders, connection: "close" }).end(html);
  };
}
