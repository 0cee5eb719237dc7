import type { Command } from "commander";
import type { Io } from "../context/io.js";
import type { CliOptions } from "../context/options.js";
import type { InstallRequest } from "./install.js";

interface InstallFlags {
  dryRun?: boolean;
  list?: boolean;
}

/** `install` and `uninstall`, which are about settings of clients and not about one server. */
export function defineInstallCommands(
  root: Command,
  io: Io,
  end: (exitCode: number) => void,
): void {
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
      .action(async (words: string[], { dryRun = false, list = false }: InstallFlags) => {
        const { runInstall } = await import("./install.js");
        const given = root.opts<CliOptions>();
        end(await runInstall({ command: name, words, dryRun, list, given }, io));
      });
  };
  define("install", "write the server into the settings of clients");
  define("uninstall", "take out of the settings of clients what install wrote");
}
