import { setTimeout as sleep } from "node:timers/promises";
import { exitCodes } from "../common/errors.js";
import { hasAuthorizationHeader } from "../common/settings.js";
import type { Context } from "../context/context.js";
import { readState } from "../profile/profile.js";
import { createProxy } from "../proxy/proxy.js";
import { StartupCache } from "../proxy/local/startup-cache.js";
import {
  createLineReader,
  takeOverStdout,
  toOversizeAnswer,
  watchLifecycle,
} from "../proxy/host/stdio.js";
import { ToolCatalog } from "../proxy/local/tool-catalog.js";
import { createTokenManager, noTokens } from "../tokens/token-manager.js";

/** For the cache, and for the last frames of a host that doesn't read them. */
const lastWritesMs = 1_000;

export async function run(context: Context): Promise<number> {
  const { settings, log, profile } = context;
  const { stdin, stdout, stderr } = process;
  const { ending, drainCancelled, endNow } = watchLifecycle(stdin, log, (code) =>
    process.exit(code),
  );
  const output = takeOverStdout(stdout, stderr, endNow);
  const startupCache = new StartupCache(profile);
  const loadStores = () => import("../storage/open-store.js");
  const tokens = hasAuthorizationHeader(settings)
    ? noTokens
    : createTokenManager(context, {
        openStore: async (state) => (await loadStores()).openStore(context, state),
        unlock: async () => (await loadStores()).unlockKeychain(context, await readState(profile)),
      });
  const proxy = createProxy({
    ...context,
    tokens,
    output,
    startupCache,
    tools: new ToolCatalog(settings),
    requestSignIn: async (request) => {
      const { createSignIn } = await import("../sign-in/sign-in.js");
      return createSignIn(context)(request);
    },
  });
  let areTokensStarted = false;
  const lines = createLineReader({
    onLine: (line) => {
      proxy.receive(line);
      // Start after the first message was handled: its response may need no token and must not
      // wait.
      if (!areTokensStarted) tokens.start();
      areTokensStarted = true;
    },
    onTooLong: (line) => {
      const answer = toOversizeAnswer(line);
      if (answer !== undefined) output.write(answer);
      log.info("A message of the host was too long to be sent.");
    },
  });
  stdin.on("data", (chunk: Buffer) => {
    lines.push(chunk);
  });
  stdin.once("end", () => {
    lines.end();
  });

  const { drainMs } = await ending;
  stdin.pause();
  await Promise.race([proxy.drain(drainMs), drainCancelled]);
  await proxy.close();
  tokens.stop();
  await Promise.race([Promise.all([startupCache.flush(), output.flush()]), sleep(lastWritesMs)]);
  return exitCodes.ended;
}
