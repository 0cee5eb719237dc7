import { constants } from "node:fs";
import { copyFile, mkdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorMessage, hasCode } from "../common/errors.js";
import { writeFileAtomic } from "../profile/files.js";
import { SettingsProblem } from "./formats/problem.js";

/** Undefined when there is none. */
export async function readSettings(file: string): Promise<string | undefined> {
  let bytes;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    if (hasCode(cause, "ENOENT", "ENOTDIR")) return undefined;
    throw new SettingsProblem(`it cannot be read: ${errorMessage(cause)}`, { cause });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SettingsProblem("it is not written in UTF-8", { cause });
  }
}

/** Holds what was in a settings file before the bridge changed it for the first time. */
export function backupOf(file: string): string {
  return `${file}.before-fettle-bridge`;
}

/**
 * Replaces a settings file as a whole, behind links and with its mode. False when it no longer holds
 * `before`: its client wrote it meanwhile.
 */
export async function replaceSettings(
  file: string,
  before: string | undefined,
  after: string,
): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true });
    if (before !== undefined) await backUp(file);
    // Of a link in a collection of settings, the file that it leads to.
    const target = before === undefined ? file : await realpath(file);
    const mode = before === undefined ? 0o600 : (await stat(target)).mode & 0o777;
    if ((await readSettings(file)) !== before) return false;
    await writeFileAtomic(target, after, mode);
    return true;
  } catch (cause) {
    if (cause instanceof SettingsProblem) throw cause;
    throw new SettingsProblem(`it cannot be written: ${errorMessage(cause)}`, { cause });
  }
}

/** Removes a file that the bridge made. */
export async function removeSettings(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** When the settings are again what they were. */
export async function removeBackup(file: string, settings: string | undefined): Promise<void> {
  const backup = await readSettings(backupOf(file)).catch(() => undefined);
  if (backup !== undefined && backup === settings) await rm(backupOf(file), { force: true });
}

async function backUp(file: string): Promise<void> {
  try {
    await copyFile(file, backupOf(file), constants.COPYFILE_EXCL);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}
