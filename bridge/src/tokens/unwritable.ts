import type { Profile } from "../profile/profile.js";
import { RetryableFailure } from "./token-endpoint.js";

/** The folder of the profile takes nothing: the disk is full, or it may only be read. */
export function unwritable({ folder }: Pick<Profile, "folder">, cause: unknown): RetryableFailure {
  const message =
    `Nothing can be written to ${folder}, so a new token could get lost. ` +
    "Make room or allow writing there, then try again.";
  return new RetryableFailure("keychain_unavailable", message, { cause });
}
