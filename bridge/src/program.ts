import { Command, CommanderError } from "commander";
import { BridgeError, exitCodes, toExitCode } from "./common/errors.js";
import { createLog } from "./common/log.js";
import { hasAuthorizationHeader } from "./common/settings.js";
import { version } from "./common/version.js";
import type { Context } from "./context/context.js";
import { findHome } from "./context/home.js";
import type { Io } from "./context/io.js";
import { type CliOptions, readOnlyOption, readOptions, valueOptions } from "./context/options.js";
import { findTargets, type WithoutServer } from "./context/targets.js";
import { createHttpClient } from "./http/http-client.js";
import { openProfile } from "./profile/profile.js";

const examples = `
Examples:
  fettle-bridge https://fettle.example.com           what an MCP client starts
  fettle-bridge login https://fettle.example.com     sign in before the client does
  fettle-bridge doctor https://fettle.example.com    find out why it does not work

MCP messages go to stdout, everything for people goes to stderr.`;

/** What a command does with the servers it is about. Resolves with the exit code. */
type Action = (contexts: readonly Context[], io: Io, json: boolean) => Promise<number>;

interface CommandDefinition {
  /** Undefined for the proxy, which is what runs without a command. */
  name?: string;
  /** Undefined hides it: other parts of the bridge start it. */
  description?: string;
  json?: true;
  withoutServer: WithoutServer;
  /** Loads the code when the command runs, so that none pays for the others. */
  load: () => Promise<Action>;
}

const commands: readonly CommandDefinition[] = [
  {
    withoutServer: "refused",
    load: async () => forOne((await import("./commands/run.js")).run),
  },
  {
    name: "login",
    description: "sign in now",
    withoutServer: "the only one",
    load: async () => {
      const { login } = await import("./commands/login.js");
      return forOne((context, io) => {
        rejectOwnAuthorization(context);
        return login(context, io);
      });
    },
  },
  {
    name: "logout",
    description: "revoke the tokens and forget them",
    withoutServer: "the only one",
    load: async () => forOne((await import("./commands/logout.js")).logout),
  },
  {
    name: "status",
    description: "show what is stored, never a secret",
    json: true,
    withoutServer: "all",
    load: async () => (await import("./commands/status.js")).showStatus,
  },
  {
    name: "doctor",
    description: "find out what is wrong; the answer holds no secret",
    json: true,
    withoutServer: "the only one",
    load: async () => forOne((await import("./commands/doctor.js")).examine),
  },
  {
    name: "sign-in-helper",
    withoutServer: "refused",
    load: async () => forOne((await import("./sign-in/helper.js")).runSignInHelper),
  },
];

/** Runs one command line to its end and resolves with the exit code. */
export async function runProgram(args: readonly string[], io: Io): Promise<number> {
  let code: number = exitCodes.ended;
  const program = createProgram(io);
  for (const definition of commands) {
    defineCommand(program, definition).action(
      async (server: string | undefined, { json = false }: { json?: boolean }) => {
        const given = program.opts<CliOptions>();
        code = await runCommand(definition, { server, given, json }, io);
      },
    );
  }
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.wrongUsage;
    const { logLevel = io.environment["FETTLE_BRIDGE_LOG"] } = program.opts<CliOptions>();
    io.writeErr(`fettle-bridge: ${describe(error, logLevel === "debug")}\n`);
    return toExitCode(error);
  }
}

function createProgram(io: Io): Command {
  const program = new Command("fettle-bridge")
    .description("Connects an MCP client that speaks stdio to an MCP server, and signs in for it.")
    .version(version)
    .exitOverride()
    .showHelpAfterError("Run fettle-bridge --help to see what is possible.")
    .addHelpText("after", examples)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: io.writeOut,
      writeErr: io.writeErr,
      outputError: (text, write) => {
        write(text.replace(/^error:/, "fettle-bridge:"));
      },
    });
  for (const { flags, help, repeatable } of valueOptions) {
    if (repeatable) program.option(flags, help, collect);
    else program.option(flags, help);
  }
  return program.option(readOnlyOption.flags, readOnlyOption.help);
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function defineCommand(program: Command, { name, description, json }: CommandDefinition): Command {
  const command =
    name === undefined ? program : program.command(name, { hidden: description === undefined });
  if (name !== undefined && description !== undefined) command.description(description);
  if (json) command.option("--json", "answer as JSON");
  return command.argument("[server-url]", "address of the MCP server, with or without /mcp");
}

async function runCommand(
  { withoutServer, load }: CommandDefinition,
  { server, given, json }: { server: string | undefined; given: CliOptions; json: boolean },
  io: Io,
): Promise<number> {
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

function forOne(command: (context: Context, io: Io, json: boolean) => Promise<number>): Action {
  return async ([context], io, json) => {
    if (context === undefined) throw new Error("A command came without its server.");
    return command(context, io, json);
  };
}

function rejectOwnAuthorization({ settings }: Context): void {
  if (!hasAuthorizationHeader(settings)) return;
  const message = "There is nothing to sign in to: --header brings the Authorization by itself.";
  throw new BridgeError("wrong_usage", message);
}

/** An expected failure explains itself; the stack of anything else is for whoever asks for it. */
function describe(error: unknown, withStack: boolean): string {
  if (!(error instanceof Error)) return "Something unexpected happened.";
  if (withStack) return error.stack ?? error.message;
  if (error instanceof BridgeError) return error.message;
  return `Something unexpected happened: ${error.message} (--log-level debug shows where)`;
}
