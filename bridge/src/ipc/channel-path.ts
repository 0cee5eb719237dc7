import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { isOurs } from "../common/ownership.js";
import type { Environment } from "../common/settings.js";

const isWindows = process.platform === "win32";
const folderPrefix = "fettle-bridge-channel-";

/** On macOS. Node.js cuts a longer path, and what is left of it leads out of the folder. */
const maxPathBytes = 103;

/**
 * A new place to listen at: a socket in a new folder of mode 0700, below the user's runtime folder
 * or else the temporary one; on Windows a pipe whose name cannot be guessed.
 */
export async function makePath(environment: Environment): Promise<string> {
  if (isWindows) return `\\\\.\\pipe\\fettle-bridge-${randomBytes(16).toString("hex")}`;
  const runtime = environment["XDG_RUNTIME_DIR"] ?? "";
  const makeTemporary = () => mkdtemp(join(fits(tmpdir()) ? tmpdir() : "/tmp", folderPrefix));
  const isUsable = isAbsolute(runtime) && fits(runtime) && (await isOurs(runtime, "folder"));
  const folder = isUsable
    ? await mkdtemp(join(runtime, folderPrefix)).catch(makeTemporary)
    : await makeTemporary();
  return toPath(folder);
}

/** Whether only this user can have made what is there. */
export async function isOurPath(path: string): Promise<boolean> {
  return isWindows || ((await isOurs(dirname(path), "folder")) && (await isOurs(path, "socket")));
}

/** Removes what a listener leaves behind; nothing that is not such a leftover. */
export async function removePath(path: string): Promise<void> {
  const folder = dirname(path);
  if (isWindows || !basename(folder).startsWith(folderPrefix)) return;
  if (await isOurs(folder, "folder")) await rm(folder, { recursive: true, force: true });
}

function fits(folder: string): boolean {
  return Buffer.byteLength(toPath(join(folder, `${folderPrefix}XXXXXX`))) <= maxPathBytes;
}

function toPath(folder: string): string {
  return join(folder, "s");
}
