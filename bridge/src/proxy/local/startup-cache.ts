import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseJson, toRecord } from "../../common/json.js";
import { readText, removeFile, writeFileAtomic } from "../../profile/files.js";
import type { Profile } from "../../profile/profile.js";

export type Result = Readonly<Record<string, unknown>>;

/** Counts clients times protocol versions per profile. The oldest entries are removed first. */
const maxEntries = 32;
const maxResultLength = 1024 * 1024;

const pathIn = ({ folder }: Pick<Profile, "folder">) => join(folder, "cache.json");

/** Another account may have access to other tools. */
export async function clearStartupCache(profile: Pick<Profile, "folder">): Promise<void> {
  await removeFile(pathIn(profile));
}

/** The key of a client with its capabilities and protocol version. */
export const initializeKey = (params: unknown): string => `initialize ${toClientKey(params)}`;
export const discoverKey = (params: unknown): string => `server/discover ${toClientKey(params)}`;
/** The key of the complete list, without a cursor, in this protocol version. */
export const toolsListKey = (protocolVersion: string): string => `tools/list ${protocolVersion}`;

/**
 * Caches the server's last responses to a client's first requests, so that a start doesn't wait for
 * the network.
 */
export class StartupCache {
  readonly #path: string;
  #known: Map<string, Result> | undefined;
  #saving = Promise.resolve();

  constructor(profile: Pick<Profile, "folder">) {
    this.#path = pathIn(profile);
  }

  get(key: string): Result | undefined {
    return this.#load().get(key);
  }

  set(key: string, result: unknown): void {
    const text = JSON.stringify(result);
    if (!isRecord(result) || key.length + text.length > maxResultLength) return;
    if (JSON.stringify(this.get(key)) === text) return;
    this.#load().set(key, result);
    this.#change(key, result);
  }

  delete(key: string): void {
    if (this.#load().delete(key)) this.#change(key, undefined);
  }

  flush(): Promise<void> {
    return this.#saving;
  }

  #load(): Map<string, Result> {
    return (this.#known ??= read(this.#path));
  }

  #change(key: string, result: Result | undefined): void {
    this.#saving = this.#saving.then(() => this.#save(key, result));
  }

  /** Merges into the current file, because other bridges of the profile write it too. */
  async #save(key: string, result: Result | undefined): Promise<void> {
    try {
      const answers = toAnswers(await readText(this.#path));
      answers.delete(key);
      if (result !== undefined) answers.set(key, result);
      const entries = [...answers].slice(-maxEntries);
      await writeFileAtomic(this.#path, JSON.stringify({ version: 1, answers: entries }));
    } catch {
      // Only slows the next start. A folder that can't be written is reported elsewhere.
    }
  }
}

/**
 * Servers may respond differently to a client's name and capabilities, but not to its build number.
 */
function toClientKey(params: unknown): string {
  const own = toRecord(params);
  const meta = toRecord(own["_meta"]);
  const prefix = "io.modelcontextprotocol/";
  const version = own["protocolVersion"] ?? meta[`${prefix}protocolVersion`];
  const abilities = own["capabilities"] ?? meta[`${prefix}clientCapabilities`];
  const client = own["clientInfo"] ?? meta[`${prefix}clientInfo`];
  const text = JSON.stringify([version, abilities, toRecord(client)["name"]]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function read(path: string): Map<string, Result> {
  try {
    return toAnswers(readFileSync(path, "utf8"));
  } catch {
    return new Map();
  }
}

/** A damaged cache counts as empty. */
function toAnswers(text = ""): Map<string, Result> {
  const { version, answers } = toRecord(parseJson(text));
  return new Map(version === 1 && Array.isArray(answers) ? answers.filter(isAnswer) : []);
}

function isAnswer(entry: unknown): entry is [string, Result] {
  return Array.isArray(entry) && typeof entry[0] === "string" && isRecord(entry[1]);
}
