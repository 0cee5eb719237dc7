import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isOfOtherUser } from "../common/peer.js";
import { type Page, pageHeaders, unknownPage, usedPage } from "./pages.js";

/** The browser's way back: a listener on the loopback interface (RFC 8252 §7.3). */
export interface CallbackListener {
  port: number;
  redirectUri: string;
  /** From now on the short address leads to the sign-in, and its return is waited for. */
  expect: (signIn: ExpectedCallback) => void;
  /** A local address that leads to the sign-in: few characters, for people to copy. */
  shortAddress: string;
  /** The same for whoever comes first; afterwards it is good for nothing. */
  oneShotAddress: string;
  close: () => Promise<void>;
}

export interface ExpectedCallback {
  url: string;
  state: string;
  /** Called once, with what the browser came back with; the page it gives is shown. */
  complete: (parameters: URLSearchParams) => Promise<Page>;
}

const host = "127.0.0.1";
const callbackPath = "/callback";
/** Time for the last page to reach the browser. */
const lastAnswerMs = 2_000;

/** Rejects with the system's error when the port cannot be had. */
export async function openCallback(port: number): Promise<CallbackListener> {
  // Other users of the machine can reach the port, and the address holds the `state`.
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
    oneShotAddress: new URL(oneShotPath, origin).href,
    expect: (signIn) => {
      // A browser may ask twice for one address: the exchange happens once, both see how it went.
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
    close: () => closeServer(server),
  };
}

function makePath(): string {
  return `/${randomBytes(9).toString("base64url")}`;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      server.closeAllConnections();
    }, lastAnswerMs);
    server.close(() => {
      clearTimeout(limit);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Undefined unless it is a GET for our own address by its number: names can be rebound. */
function toTarget(request: IncomingMessage, origin: URL): URL | undefined {
  const { method, url = "", headers } = request;
  if (method !== "GET" || headers.host !== origin.host || !url.startsWith("/")) return undefined;
  return URL.canParse(url, origin.href) ? new URL(url, origin) : undefined;
}

/** In constant time, for successes and refusals alike. */
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
