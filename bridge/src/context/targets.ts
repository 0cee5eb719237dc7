import { BridgeError } from "../common/errors.js";
import { toMcpUrl } from "../common/server-address.js";
import { profileOption } from "../profile/profile.js";
import { listProfiles } from "../profile/state.js";

export interface Target {
  server: string;
  profile: string;
}

/** What a command is about when no server is named. */
export type WithoutServer = "refused" | "the only one" | "all";

/** The servers a command is about; those already used are known by heart. */
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
