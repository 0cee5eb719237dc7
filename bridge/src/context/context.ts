import { BridgeError } from "../common/errors.js";
import type { Log } from "../common/log.js";
import { toMcpUrl } from "../common/server-address.js";
import type { Settings } from "../common/settings.js";
import type { HttpClient } from "../http/http-client.js";
import { listProfiles, type Profile, profileOption } from "../profile/profile.js";
import type { Io } from "./io.js";
import type { CliOptions } from "./options.js";

export interface Context {
  settings: Settings;
  log: Log;
  profile: Profile;
  http: HttpClient;
}

type Action = (contexts: readonly Context[], io: Io, json: boolean) => Promise<number>;

export interface Invocation {
  server: string | undefined;
  given: CliOptions;
  json: boolean;
  withoutServer: WithoutServer;
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

type Target = Pick<Settings, "server" | "profile">;

type WithoutServer = "refused" | "the only one" | "all";

/** The servers of a command. Without an address, uses the servers that were used before. */
export async function findTargets(
  server: string | undefined,
  { withoutServer, home, profile }: { withoutServer: WithoutServer; home: string; profile: string },
): Promise<Target[]> {
  if (server !== undefined) return [{ server: toMcpUrl(server), profile }];
  if (withoutServer === "refused") {
    throw new BridgeError(
      "wrong_usage",
      "The server's address is missing: fettle-bridge <server-url>. --help shows the rest.",
    );
  }
  const known = (await listProfiles(home))
    .map(({ server, name }): Target => ({ server, profile: name }))
    .filter((target) => profile === "" || target.profile === profile);
  if (withoutServer === "all" || known.length === 1) return known;
  throw new BridgeError("wrong_usage", `Name the server: ${list(known)}`);
}

function list(known: readonly Target[]): string {
  if (known.length === 0) return "none has been used yet.";
  const lines = known.map(({ server, profile }) => `\n  ${server}${profileOption(profile)}`);
  return `these have been used:${lines.join("")}`;
}
