import { setTimeout as sleep } from "node:timers/promises";
import { exitCodes } from "../common/errors.js";
import { hasAuthorizationHeader } from "../common/settings.js";
import type { Context } from "../context/context.js";
import { readState } from "../profile/profile.js";
import { createProxy } from "../proxy/proxy.js";
import { StartupCache } from "../proxy/startup-cache.js";
import {
  createLineReader,
  takeOverStdout,
  toOversizeAnswer,
  watchLifecycle,
} from "../proxy/stdio.js";
import { ToolCatalog } from "../proxy/tool-catalog.js";
import type { RequestSignIn } from "../sign-in/sign-in.js";
import { createTokenManager, noTokens, type TokenManager } from "../tokens/token-manager.js";

/** For the cache and for the last frames of a host that does not read them. */
const lastWritesMs = 1_000;

/** Passes messages between stdin and stdout and the server, until the host is done. */
export async function run(context: Context): Promise<number> {
  const { settings, log, profile } = context;
  const { stdin, stdout, stderr } = process;
  const { ending, drainCancelled, endNow } = watchLifecycle(stdin, log, (code) =>
    process.exit(code),
  );
  const output = takeOverStdout(stdout, stderr, endNow);
  const startupCache = new StartupCache(profile);
  const tokens = hasAuthorizationHeader(settings) ? noTokens : createTokens(context);
  const proxy = createProxy({
    ...context,
    tokens,
    output,
    startupCache,
    tools: new ToolCatalog(settings),
    requestSignIn: createRequestSignIn(context),
  });
  let areTokensStarted = false;
  const lines = createLineReader({
    onLine: (line) => {
      proxy.receive(line);
      // Not before the first message was looked at: its answer may need no token, and is not to wait.
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

function createTokens(context: Context): TokenManager {
  return createTokenManager(context, {
    openStore: async (state) => {
      const { openStore } = await import("../storage/open-store.js");
      return openStore(context, state);
    },
    unlock: async () => {
      const { unlockKeychain } = await import("../storage/open-store.js");
      await unlockKeychain(context, await readState(context.profile));
    },
  });
}

function createRequestSignIn(context: Context): RequestSignIn {
  let loaded: Promise<RequestSignIn> | undefined;
  const load = async () => {
    const { createSignIn } = await import("../sign-in/sign-in.js");
    return createSignIn(context);
  };
  return async (request) => (await (loaded ??= load()))(request);
}
