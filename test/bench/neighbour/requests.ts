import { setTimeout as pause } from "node:timers/promises";
import { signIn } from "../pages/visitor.js";

type Request = () => Promise<{ status: number; body: string; ms: number }>;

export interface Actor {
  request: Request;
  perSecond: number;
}

export interface Tally {
  times: number[];
  served: number;
  limited: number;
  failed: number;
}

/** Open requests per actor. Clients and browsers have fewer, so many of these wait in vain. */
const maxOpen = 20;

export async function timed(url: string, init: RequestInit = {}) {
  const began = performance.now();
  const answer = await fetch(url, init);
  const body = await answer.text();
  return { status: answer.status, body, ms: performance.now() - began };
}

export function callsOf(baseUrl: string, token: string, calls: readonly object[]): Request {
  let next = 0;
  return () => {
    const params = calls[next++ % calls.length];
    return timed(`${baseUrl}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
  };
}

const pages = ["/", "/assets", "/tasks", "/assets?q=pump"];

export async function pagesOf(baseUrl: string, email: string, password: string): Promise<Request> {
  const visitor = await signIn(baseUrl, email, password);
  let next = 0;
  return () => visitor.get(pages[next++ % pages.length] ?? "/");
}

export async function run(actors: readonly Actor[], seconds: number): Promise<Tally> {
  const tally: Tally = { times: [], served: 0, limited: 0, failed: 0 };
  const signal = AbortSignal.timeout(seconds * 1000);
  await Promise.all(actors.map((actor) => repeat(actor, tally, signal)));
  return tally;
}

/** Starts requests at the given rate while fewer than the maximum are open. */
async function repeat(
  { request, perSecond }: Actor,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const open = new Set<Promise<void>>();
  while (!signal.aborted) {
    const one = request()
      .then(({ status, body, ms }) => {
        if (status === 429 || body.includes('"code":"rate_limited"')) tally.limited += 1;
        else if (status === 200) tally.served += 1;
        else tally.failed += 1;
        tally.times.push(ms);
      })
      .catch(() => {
        tally.failed += 1;
      })
      .finally(() => open.delete(one));
    open.add(one);
    if (open.size >= maxOpen) await Promise.race(open);
    // Random pauses keep the actors out of step.
    await pause((1000 / perSecond) * (0.5 + Math.random()));
  }
  await Promise.all(open);
}
