import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { BridgeError, errorMessage } from "../common/errors.js";
import { isOfAnotherUser, isOpenToOthers, isWritableByOthers } from "../common/ownership.js";
import type { Settings } from "../common/settings.js";

/** One server address and profile name: the folder of what is known about it. No secrets here. */
export interface Profile {
  /** 16 hex digits of home, server address and profile name; also the keychain's account name. */
  key: string;
  /** Made with mode 0700 at first use. */
  folder: string;
  server: string;
  name: string;
}

/** Throws `wrong_usage` when the folder cannot be made or written. */
export function openProfile(settings: Pick<Settings, "home" | "server" | "profile">): Profile {
  const { home, server, profile } = settings;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    keepOthersOut(home);
    // The same in every process, and another one in every other home of the machine.
    const named = JSON.stringify([realpathSync(home), server, profile]);
    const key = createHash("sha256").update(named).digest("hex").slice(0, 16);
    const folder = join(home, key);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    restrictToOwner(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { key, folder, server, name: profile };
  } catch (cause) {
    if (cause instanceof BridgeError) throw cause;
    throw unusable(home, errorMessage(cause), cause);
  }
}

/** Who may write to the home can put folders in place of those in it, unless it is one like /tmp. */
function keepOthersOut(home: string): void {
  const found = statSync(home);
  if (isOfAnotherUser(found) || !isWritableByOthers(found)) return;
  chmodSync(home, found.mode & 0o755);
}

/**
 * Somebody else's folder could hand us a prepared state, and a link the state of another server.
 * Windows inherits the home's rights.
 */
function restrictToOwner(folder: string): void {
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw unusable(folder, "it is a link");
  if (isOfAnotherUser(found)) throw unusable(folder, "it belongs to another user");
  if (isOpenToOthers(found)) chmodSync(folder, 0o700);
}

function unusable(folder: string, reason: string, cause?: unknown): BridgeError {
  return new BridgeError(
    "wrong_usage",
    `The folder ${folder} cannot be used: ${reason}. ` +
      "Make it writable for you, or name another one in FETTLE_BRIDGE_HOME.",
    { cause },
  );
}

/** What a command line needs to mean the profile of this name. */
export function profileOption(name: string): string {
  return name === "" ? "" : ` --profile ${name}`;
}

export function profileLabel({ server, name }: Pick<Profile, "server" | "name">): string {
  return name === "" ? server : `${server} (profile ${name})`;
}
