import { lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";

const isOfKind = {
  folder: (found: Stats) => found.isDirectory(),
  file: (found: Stats) => found.isFile(),
  socket: (found: Stats) => found.isSocket(),
};

/** Windows has no such owners and modes: there the rights of the folders above count. */
const hasOwners = process.getuid !== undefined;

export function isOfAnotherUser({ uid }: Stats): boolean {
  return hasOwners && uid !== process.getuid?.();
}

export function isOpenToOthers({ mode }: Stats): boolean {
  return hasOwners && (mode & 0o077) !== 0;
}

/** Whether others may remove and replace what is in a folder: not where its sticky bit is set. */
export function isWritableByOthers(found: Stats): boolean {
  return mayBeAddedToByOthers(found) && (found.mode & 0o1000) === 0;
}

function mayBeAddedToByOthers({ mode }: Stats): boolean {
  return hasOwners && (mode & 0o022) !== 0;
}

/** Makes a folder for what is run from the home. Undefined where the home is missing or others may write. */
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

/** Whether it is a folder of this user, and no link to one. */
export async function isOwnFolder(path: string): Promise<boolean> {
  return (await findOwn(path, "folder")) !== undefined;
}

/** Not a link, this user's, and closed to others. Of a socket the folder counts: some systems ignore its mode. */
export async function isOurs(path: string, kind: keyof typeof isOfKind): Promise<boolean> {
  const found = await findOwn(path, kind);
  return found !== undefined && (kind === "socket" || !isOpenToOthers(found));
}

/** What is there under this very name, if it is of that kind and belongs to this user. */
async function findOwn(path: string, kind: keyof typeof isOfKind): Promise<Stats | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found && isOfKind[kind](found) && !isOfAnotherUser(found) ? found : undefined;
}
