import type { Command } from "commander";
import { BridgeError, exitCodes } from "./common/errors.js";
import { hasAuthorizationHeader, version } from "./common/settings.js";
import { forOne, type Invocation } from "./context/context.js";
import type { Io } from "./context/io.js";
import { type CliOptions, readOnlyOption, valueOptions } from "./context/options.js";
import type { InstallRequest } from "./install/install.js";

const examples = `
Examples:
  fettle-bridge https://fettle.example.com           what an MCP client starts
  fettle-bridge install https://fettle.example.com   write it into the settings of clients
  fettle-bridge login https://fettle.example.com     sign in before the client does
  fettle-bridge doctor https://fettle.example.com    find out why it does not work

MCP messages go to stdout, everything for people goes to stderr.`;

interface CommandDefinition extends Pick<Invocation, "withoutServer" | "load"> {
  name: string;
  /** Undefined hides it: other parts of the bridge start it. */
  description?: string;
  json?: true;
}

const commands: readonly CommandDefinition[] = [
  {
    name: "login",
    description: "sign in now",
    withoutServer: "the only one",
    load: async () => {
      const { login } = await import("./commands/login.js");
      return forOne((context, io) => {
        if (!hasAuthorizationHeader(context.settings)) return login(context, io);
        const message =
          "There is nothing to sign in to: --header brings the Authorization by itself.";
        throw new BridgeError("wrong_usage", message);
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

/** Takes a command line apart. A number is the exit code of one with which all is said. */
export async function parseCommandLine(
  args: readonly string[],
  io: Io,
  loadProxy: Invocation["load"],
): Promise<Invocation | number> {
  let invocation: Invocation | number | undefined;
  const { Command, CommanderError } = await import("commander");
  const root = describeProgram(new Command("fettle-bridge"), io);
  const define = (command: Command, { withoutServer, load }: Omit<CommandDefinition, "name">) =>
    command
      .argument("[server-url]", "address of the MCP server, with or without /mcp")
      .action((server: string | undefined, { json = false }: { json?: boolean }) => {
        if (command === root) checkAddress(root as Suggesting);
        invocation = { server, given: root.opts<CliOptions>(), json, withoutServer, load };
      });
  define(root, { withoutServer: "refused", load: loadProxy });
  for (const definition of commands) {
    const { name, description, json } = definition;
    const command = root
      .command(name, { hidden: description === undefined })
      .allowExcessArguments(false);
    if (description !== undefined) command.description(description);
    if (json) command.option("--json", "answer as JSON");
    define(command, definition);
  }
  defineInstallCommands(root, io, (exitCode) => (invocation = exitCode));
  try {
    await root.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.ended : exitCodes.wrongUsage;
  }
  return invocation ?? exitCodes.wrongUsage;
}

/** Of commander itself, which does not declare it: names the command that was meant. */
interface Suggesting extends Command {
  unknownCommand: () => never;
}

/** Whatever is no command is taken for an address, also one that was mistyped. */
function checkAddress(root: Suggesting): void {
  const [server = ""] = root.args;
  if (/^[a-z-]+$/i.test(server) && server !== "localhost") root.unknownCommand();
  if (root.args.length > 1) root.error("error: too many arguments: give one address");
}

function describeProgram(root: Command, io: Io): Command {
  root
    .description("Connects an MCP client that speaks stdio to an MCP server, and signs in for it.")
    .version(version)
    .exitOverride()
    .allowExcessArguments()
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
    if (!repeatable) root.option(flags, help);
    else root.option(flags, help, (value, before?: string[]) => [...(before ?? []), value]);
  }
  return root.option(readOnlyOption.flags, readOnlyOption.help);
}

function defineInstallCommands(root: Command, io: Io, end: (exitCode: number) => void): void {
  const define = (name: InstallRequest["command"], description: string) => {
    root
      .command(name)
      .description(description)
      .argument(
        "[client-or-server-url...]",
        "clients (default: all that are found), and the server",
      )
      .option("--dry-run", "show the difference, change nothing")
      .option("--list", "show the clients and what they have")
      .action(
        async (words: string[], { dryRun = false, list = false }: Partial<InstallRequest>) => {
          const { runInstall } = await import("./install/install.js");
          const given = root.opts<CliOptions>();
          end(await runInstall({ command: name, words, dryRun, list, given }, io));
        },
      );
  };
  define("install", "write the server into the settings of clients");
  define("uninstall", "take out of the settings of clients what install wrote");
}
