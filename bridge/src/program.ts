import { run as runProxy } from "./commands/run.js";
import { BridgeError, toExitCode } from "./common/errors.js";
import { createLog } from "./common/log.js";
import { type Context, findTargets, forOne, type Invocation } from "./context/context.js";
import { findHome, type Io } from "./context/io.js";
import { readOptions } from "./context/options.js";
import { createHttpClient } from "./http/http-client.js";
import { openProfile } from "./profile/profile.js";

export async function runProgram(args: readonly string[], io: Io): Promise<number> {
  let logLevel = io.environment["FETTLE_BRIDGE_LOG"];
  try {
    const parsed = parseAddress(args) ?? (await parse(args, io));
    if (typeof parsed === "number") return parsed;
    logLevel = parsed.given.logLevel ?? logLevel;
    return await run(parsed, io);
  } catch (error) {
    io.writeErr(`fettle-bridge: ${describe(error, logLevel === "debug")}\n`);
    return toExitCode(error);
  }
}

/** Fast path for most clients: parses a single address without loading a library. */
function parseAddress(args: readonly string[]): Invocation | undefined {
  const [server = ""] = args;
  if (args.length !== 1 || !/^https?:/i.test(server)) return undefined;
  return { server, given: {}, json: false, withoutServer: "refused", load: loadProxy };
}

async function parse(args: readonly string[], io: Io): Promise<Invocation | number> {
  const { parseCommandLine } = await import("./command-line.js");
  return parseCommandLine(args, io, loadProxy);
}

const loadProxy = async () => forOne(runProxy);

async function run(invocation: Invocation, io: Io): Promise<number> {
  const { server, given, json, withoutServer, load } = invocation;
  const options = readOptions(given, io);
  const home = findHome(io);
  const targets = await findTargets(server, { withoutServer, home, profile: options.profile });
  const log = createLog(options.logLevel, io.writeErr);
  const contexts = targets.map((target): Context => {
    const settings = { ...options, ...target, home };
    return { settings, log, profile: openProfile(settings), http: createHttpClient(settings) };
  });
  try {
    const action = await load();
    return await action(contexts, io, json);
  } finally {
    for (const { http } of contexts) http.close();
  }
}

/** Expected failures explain themselves. The stack of other errors is for debugging. */
function describe(error: unknown, withStack: boolean): string {
  if (!(error instanceof Error)) return "Something unexpected happened.";
  if (withStack) return error.stack ?? error.message;
  if (error instanceof BridgeError) return error.message;
  return `Something unexpected happened: ${error.message} (--log-level debug shows where)`;
}
