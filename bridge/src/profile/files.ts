import { randomBytes } from "node:crypto";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "../common/errors.js";
import { parseJson } from "../common/json.js";

/**
 * Replaces a file atomically. After a crash it contains the old or the new content, never a part.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
      if (mode !== 0o600) await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameOver(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The parsed content. Undefined if there is no file or it isn't JSON. */
export async function readJson(path: string): Promise<unknown> {
  return parseJson((await readText(path)) ?? "");
}

export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Removes a file and the temporary files of killed writers. */
export async function removeFile(path: string): Promise<void> {
  const [folder, file] = [dirname(path), basename(path)];
  for (const name of await readNames(folder)) {
    const isLeftover = name.startsWith(`${file}.`) && name.endsWith(".tmp");
    if (name === file || isLeftover) await rm(join(folder, name), { force: true });
  }
  await syncFolder(folder);
}

export async function readNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** Windows refuses to replace a file while it is being read, which is always brief. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (attempt === 10 || !hasCode(error, "EPERM", "EACCES", "EBUSY")) throw error;
      await sleep(attempt * 5);
    }
  }
}

/** Makes a rename survive a power cut, if the system can open a folder. */
async function syncFolder(folder: string): Promise<void> {
  // Windows and some network file systems can't do this. The rename has already happened.
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
