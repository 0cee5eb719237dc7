import type { Command } from "commander";
import { BridgeError, exitCodes } from "./common/errors.js";
import { hasAuthorizationHeader, version } from "./common/settings.js";
import { forOne, type Invocation } from "./context/context.js";
import type { Io } from "./context/io.js";
import { type CliOptions, readOnlyOption, valueOptions } from "./context/options.js";
import type { InstallRequest } from "./install/install.js";

const examples = `
Examples:
  fettle-bridge install https://fettle.example.com  # set up all clients
  fettle-bridge login https://fettle.example.com    # sign in ahead of a client
  fettle-bridge doctor https://fettle.example.com   # find out what is wrong
  fettle-bridge https://fettle.example.com          # what an MCP client starts

MCP messages go to stdout. Messages for people go to stderr.
Run "fettle-bridge <command> --help" for the examples of a command.`;

const exitCodesHelp = `
Exit codes: 0 done, 1 unexpected failure, 2 wrong usage, 3 sign-in needed but
refused or not possible, 4 server not reachable.`;

const groups = {
  clients: "Set up clients:",
  signIn: "Sign in:",
  problems: "Find problems:",
} as const;

interface CommandDefinition extends Pick<Invocation, "withoutServer" | "load"> {
  name: string;
  /** Undefined hides the command: other parts of the bridge start it. */
  help?: { group: string; description: string; summary?: string; examples: readonly string[] };
  json?: true;
}

const commands: readonly CommandDefinition[] = [
  {
    name: "login",
    help: {
      group: groups.signIn,
      description: "Sign in now, in the browser.",
      examples: ["login https://fettle.example.com", "login --callback-port 8765"],
    },
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
    help: {
      group: groups.signIn,
      description: "Revoke the tokens and delete them here.",
      examples: ["logout", "logout https://fettle.example.com --profile work"],
    },
    withoutServer: "the only one",
    load: async () => forOne((await import("./commands/logout.js")).logout),
  },
  {
    name: "status",
    help: {
      group: groups.problems,
      description: "Show servers and sign-ins, without secrets.",
      examples: ["status", "status --json"],
    },
    json: true,
    withoutServer: "all",
    load: async () => (await import("./commands/status.js")).showStatus,
  },
  {
    name: "doctor",
    help: {
      group: groups.problems,
      description: "Check everything from Node.js to a tool call. The report has no secrets.",
      summary: "Find out what is wrong.",
      examples: ["doctor https://fettle.example.com", "doctor --json"],
    },
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

/** Parses a command line. Returns the exit code if nothing remains to run. */
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
  defineInstallCommands(root, io, (exitCode) => (invocation = exitCode));
  for (const definition of commands) {
    const { name, help, json } = definition;
    const command = root.command(name, { hidden: help === undefined }).allowExcessArguments(false);
    if (help !== undefined) describeCommand(command, help);
    if (json) command.option("--json", "print JSON");
    define(command, definition);
  }
  try {
    await root.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.ended : exitCodes.wrongUsage;
  }
  return invocation ?? exitCodes.wrongUsage;
}

/** A method of commander without a type declaration. It suggests the intended command. */
interface Suggesting extends Command {
  unknownCommand: () => never;
}

/** Rejects mistyped commands, which would otherwise be treated as addresses. */
function checkAddress(root: Suggesting): void {
  const [server = ""] = root.args;
  if (/^[a-z-]+$/i.test(server) && server !== "localhost") root.unknownCommand();
  if (root.args.length > 1) root.error("error: too many arguments: give one address");
}

function describeProgram(root: Command, io: Io): Command {
  root
    .description("Connect an MCP client that speaks stdio to an MCP server, and sign in for it.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .exitOverride()
    .allowExcessArguments()
    .addHelpText("after", examples)
    .addHelpText("afterAll", exitCodesHelp)
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .configureOutput({
      getOutHelpWidth: () => 80,
      writeOut: io.writeOut,
      writeErr: io.writeErr,
      outputError: (text, write) => {
        write(toOneLine(text));
      },
    });
  root.optionsGroup("Other options:");
  for (const { flags, group, help, repeatable } of valueOptions) {
    const option = root.createOption(flags, help).helpGroup(group);
    if (repeatable) {
      option.argParser((value, before?: string[]) => [...(before ?? []), value]);
    }
    root.addOption(option);
  }
  const { flags, group, help } = readOnlyOption;
  return root.addOption(root.createOption(flags, help).helpGroup(group));
}

/** Commander puts its suggestion on its own line, in parentheses. */
function toOneLine(text: string): string {
  const [problem = "", suggestion] = text
    .trim()
    .replace(/^error:/, "fettle-bridge:")
    .split("\n");
  const sentences = [problem.replace(/[^.]$/, "$&."), suggestion?.replace(/^\((.*)\)$/, "$1")];
  return `${sentences.filter(Boolean).join(" ")} See: fettle-bridge --help\n`;
}

function describeCommand(
  command: Command,
  { group, description, summary, examples }: NonNullable<CommandDefinition["help"]>,
): Command {
  const lines = examples.map((example) => `  fettle-bridge ${example}`);
  return command
    .helpGroup(group)
    .description(description)
    .summary(summary ?? description)
    .addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

function defineInstallCommands(root: Command, io: Io, end: (exitCode: number) => void): void {
  const define = (name: InstallRequest["command"], description: string, examples: string[]) => {
    describeCommand(root.command(name), { group: groups.clients, description, examples })
      .argument(
        "[client-or-server-url...]",
        "clients (default: all found), and the server's address",
      )
      .option("--dry-run", "show the difference and change nothing")
      .option("--list", "show the clients found and their entries")
      .action(
        async (words: string[], { dryRun = false, list = false }: Partial<InstallRequest>) => {
          const { runInstall } = await import("./install/install.js");
          const given = root.opts<CliOptions>();
          end(await runInstall({ command: name, words, dryRun, list, given }, io));
        },
      );
  };
  define("install", "Add the server to the settings of MCP clients.", [
    "install https://fettle.example.com --dry-run",
    "install claude-desktop cursor https://fettle.example.com",
  ]);
  define("uninstall", "Remove the server from the settings of MCP clients.", [
    "uninstall --dry-run",
    "uninstall cursor https://fettle.example.com",
  ]);
}
