import { createInterface } from "node:readline";
import type { Settings } from "../../bridge/src/common/settings.js";
import { createFileStore } from "../../bridge/src/storage/open-store.js";
import type { AccessToken } from "../../bridge/src/tokens/rotation.js";
import { createTokenManager } from "../../bridge/src/tokens/token-manager.js";
import { aContext } from "./bridge-context.js";

export interface TokenChildPlan {
  settings: Settings;
  /** The step after which the process kills itself. Without one it continues. */
  killAfter?: string;
  /** When it replaces its token: repeatedly at once, or at each line on stdin. */
  replaces: "at-once" | "when-told";
}

/**
 * A process that gets a token, uses it, and then replaces it repeatedly. Each output line shows its
 * token: "<status of a call> <end of the token>", or "none".
 */
const plan = JSON.parse(process.argv[2] ?? "{}") as TokenChildPlan;
const context = aContext(plan.settings);
const store = createFileStore(context.profile, context.log);
const manager = createTokenManager(context, {
  openStore: async () => store,
  onStep: (step) => {
    if (step === plan.killAfter) process.kill(process.pid, "SIGKILL");
  },
});

let token = await report(await manager.get());
if (plan.replaces === "when-told") {
  const told = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  while ((await told.next()).done !== true) await next();
} else {
  while (token !== undefined) await next();
}
context.http.close();

async function next(): Promise<void> {
  if (token !== undefined) token = await report(await manager.replace(token));
}

async function report(found: AccessToken | undefined): Promise<AccessToken | undefined> {
  const line = found === undefined ? "none" : `${await call(found)} ${found.value.slice(-8)}`;
  process.stdout.write(`${line}\n`);
  return found;
}

async function call({ value }: AccessToken): Promise<number> {
  const answer = await context.http.request(context.settings.server, {
    method: "POST",
    headers: {
      authorization: `Bearer ${value}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    silenceMs: 10_000,
  });
  await context.http.text(answer);
  return answer.status;
}
