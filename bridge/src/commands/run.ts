import type { Context } from "../context.js";
import { exitCodes } from "../errors.js";
import { bringsOwnCredentials } from "../own-credentials.js";
import { createFirstAnswers } from "../proxy/first-answers.js";
import { watchLifecycle } from "../proxy/lifecycle.js";
import { createLineReader } from "../proxy/lines.js";
import { takeOverStdout } from "../proxy/output.js";
import { answerOversize } from "../proxy/oversize-answer.js";
import { createProxy } from "../proxy/proxy.js";
import { createToolBook } from "../proxy/tools.js";
import type { RequestSignIn } from "../sign-in/sign-in.js";
import { createTokenKeeper, type TokenKeeper } from "../tokens/token-keeper.js";

/** For the cache and for the last frames of a host that does not read them. */
const lastWritesMs = 1_000;

/** Passes messages between stdin and stdout and the server, until the host is done. */
export async function run(context: Context): Promise<number> {
  const { settings, log, profile, http } = context;
  const { stdin, stdout, stderr } = process;
  const { ending, hurried, endNow } = watchLifecycle({
    ...{ stdin, log },
    exit: (code) => process.exit(code),
  });
  const output = takeOverStdout(stdout, stderr, endNow);
  const firstAnswers = createFirstAnswers(profile);
  const tokens = bringsOwnCredentials(settings) ? noTokens : createTokens(context);
  const proxy = createProxy({
    ...{ settings, log, http, tokens, output, firstAnswers },
    tools: createToolBook(settings),
    requestSignIn: createRequestSignIn(context),
  });
  // Not before the first message was looked at: its answer may need no token, and is not to wait.
  const beginTokens = once(tokens.start);
  const lines = createLineReader({
    onLine: (line) => {
      proxy.receive(line);
      beginTokens();
    },
    onTooLong: (message) => {
      const answer = answerOversize(message);
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
  await Promise.race([proxy.drain(drainMs), hurried]);
  await proxy.close();
  tokens.stop();
  await Promise.race([Promise.all([firstAnswers.flush(), output.flush()]), wait(lastWritesMs)]);
  return exitCodes.ended;
}

const noTokens: TokenKeeper = {
  get: async () => undefined,
  replace: async () => undefined,
  start: () => undefined,
  stop: () => undefined,
};

function createTokens(context: Context): TokenKeeper {
  return createTokenKeeper(context, {
    openStore: async (state) => {
      const { openStore } = await import("../storage/open-store.js");
      return openStore(context, state);
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

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
