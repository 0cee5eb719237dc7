import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { toRecord } from "../common/json.js";
import { readJson, removeFile, writeFileAtomic } from "../profile/files.js";

/** An entry that `install` wrote: without it an address would look like the person's own. */
export interface InstalledEntry {
  file: string;
  name: string;
  server: string;
  /** The whole file is ours. */
  created: boolean;
}

const fileIn = (home: string) => join(home, "installed.json");

/** Nothing for a record that is not there or not readable. */
export async function readRecord(home: string): Promise<InstalledEntry[]> {
  const { entries } = toRecord(await readJson(fileIn(home)));
  return Array.isArray(entries) ? (entries as unknown[]).flatMap(toInstalled) : [];
}

export async function writeRecord(home: string, entries: readonly InstalledEntry[]): Promise<void> {
  if (entries.length === 0) {
    await removeFile(fileIn(home));
    return;
  }
  await mkdir(home, { recursive: true, mode: 0o700 });
  await writeFileAtomic(fileIn(home), `${JSON.stringify({ entries }, null, 2)}\n`);
}

export function isEntry({ file, name }: InstalledEntry, other: InstalledEntry): boolean {
  return file === other.file && name === other.name;
}

function toInstalled(value: unknown): InstalledEntry[] {
  const { file, name, server, created } = toRecord(value);
  if (typeof file !== "string" || typeof name !== "string" || typeof server !== "string") return [];
  return [{ file, name, server, created: created === true }];
}
