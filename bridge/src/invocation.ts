import type { Context } from "./context/context.js";
import type { Io } from "./context/io.js";
import type { CliOptions } from "./context/options.js";
import type { WithoutServer } from "./context/targets.js";

/** What a command does with the servers it is about. Resolves with the exit code. */
export type Action = (contexts: readonly Context[], io: Io, json: boolean) => Promise<number>;

/** One command line, taken apart. */
export interface Invocation {
  server: string | undefined;
  given: CliOptions;
  json: boolean;
  withoutServer: WithoutServer;
  /** Loads the code of the command, so that none pays for the others. */
  load: () => Promise<Action>;
}

export function forOne(
  command: (context: Context, io: Io, json: boolean) => Promise<number>,
): Action {
  return async ([context], io, json) => {
    if (context === undefined) throw new Error("A command came without its server.");
    return command(context, io, json);
  };
}
