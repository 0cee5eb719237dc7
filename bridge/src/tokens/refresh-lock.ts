import type { Context } from "../context/context.js";
import { LockTimeout, withLock } from "../profile/lock.js";
import type { Profile } from "../profile/profile.js";
import { RetryableFailure } from "./token-endpoint.js";

/** Whoever holds the lock longest waits for a server, up to 45 s. */
const lockWaitMs = 60_000;
const lockName = "refresh";

/** Runs work while no process of the profile changes its tokens. */
export async function withRefreshLock<Result>(
  { profile }: Pick<Context, "profile">,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withLock(profile, lockName, { waitMs: lockWaitMs }, work);
  } catch (cause) {
    if (cause instanceof LockTimeout && cause.lock === lockName) {
      const message =
        "Another fettle-bridge has been busy with the sign-in for a minute. Try again.";
      throw new RetryableFailure("server_busy", message, { cause });
    }
    // Nobody holds another lock for long who can write down that it is free.
    if (cause instanceof LockTimeout || isOfFiles(cause)) throw folderUnwritable(profile, cause);
    throw cause;
  }
}

/** Network and keychain have errors of their own. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** The folder of the profile takes nothing: the disk is full, or it may only be read. */
export function folderUnwritable(
  { folder }: Pick<Profile, "folder">,
  cause: unknown,
): RetryableFailure {
  const message =
    `Nothing can be written to ${folder}, so a new token could get lost. ` +
    "Make room or allow writing there, then try again.";
  return new RetryableFailure("keychain_unavailable", message, { cause });
}
