import { lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";

const isOfKind = {
  folder: (found: Stats) => found.isDirectory(),
  file: (found: Stats) => found.isFile(),
  socket: (found: Stats) => found.isSocket(),
};

/** Windows has no owners and modes like these: permissions of parent folders apply. */
const hasOwners = process.getuid !== undefined;

export function isOfAnotherUser({ uid }: Stats): boolean {
  return hasOwners && uid !== process.getuid?.();
}

export function isOpenToOthers({ mode }: Stats): boolean {
  return hasOwners && (mode & 0o077) !== 0;
}

/** Returns true if others can replace a folder's contents. A sticky bit prevents it. */
export function isWritableByOthers(found: Stats): boolean {
  return mayBeAddedToByOthers(found) && (found.mode & 0o1000) === 0;
}

function mayBeAddedToByOthers({ mode }: Stats): boolean {
  return hasOwners && (mode & 0o022) !== 0;
}

/**
 * Creates a folder for programs. Returns undefined if the home is missing or others can write to
 * it.
 */
export function findProgramFolder(home: string, name: string): string | undefined {
  const folder = join(home, name);
  try {
    if (!isWrittenByUsAlone(statSync(home))) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isWrittenByUsAlone(lstatSync(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isWrittenByUsAlone(found: Stats): boolean {
  return found.isDirectory() && !isOfAnotherUser(found) && !mayBeAddedToByOthers(found);
}

/** Returns true for a folder of this user, but not for a link to one. */
export async function isOwnFolder(path: string): Promise<boolean> {
  return (await findOwn(path, "folder")) !== undefined;
}

/**
 * Returns true if the path is not a link, is this user's and closed to others. For a socket the
 * folder counts: some systems ignore its mode.
 */
export async function isOurs(path: string, kind: keyof typeof isOfKind): Promise<boolean> {
  const found = await findOwn(path, kind);
  return found !== undefined && (kind === "socket" || !isOpenToOthers(found));
}

/** Returns the file's stats if it has this kind and belongs to this user. Does not follow links. */
async function findOwn(path: string, kind: keyof typeof isOfKind): Promise<Stats | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found && isOfKind[kind](found) && !isOfAnotherUser(found) ? found : undefined;
}
