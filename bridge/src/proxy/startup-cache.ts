import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseJson, toRecord } from "../common/json.js";
import { readText, removeFile, writeFileAtomic } from "../profile/files.js";
import type { Profile } from "../profile/profile.js";

export type Result = Readonly<Record<string, unknown>>;

/** Clients times protocol versions that use one profile; the oldest go first. */
const maxEntries = 32;
const maxResultLength = 1024 * 1024;

const pathIn = ({ folder }: Pick<Profile, "folder">) => join(folder, "cache.json");

/** Another account may be shown other things. */
export async function clearStartupCache(profile: Pick<Profile, "folder">): Promise<void> {
  await removeFile(pathIn(profile));
}

/** For the same client with the same abilities and protocol version. */
export const initializeKey = (params: unknown): string => `initialize ${toClientKey(params)}`;
export const discoverKey = (params: unknown): string => `server/discover ${toClientKey(params)}`;
/** For the complete list, without a cursor, as it is given in this protocol version. */
export const toolsListKey = (protocolVersion: string): string => `tools/list ${protocolVersion}`;

/** The server's last answers to a client's first questions, so that a start never waits for the network. */
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

  /** Changes what is there now: other bridges of the profile write too. */
  async #save(key: string, result: Result | undefined): Promise<void> {
    try {
      const answers = toAnswers(await readText(this.#path));
      answers.delete(key);
      if (result !== undefined) answers.set(key, result);
      const entries = [...answers].slice(-maxEntries);
      await writeFileAtomic(this.#path, JSON.stringify({ version: 1, answers: entries }));
    } catch {
      // Only the next start is slower for it; a folder that takes no file is said elsewhere.
    }
  }
}

/** Servers may answer by what the client is and can do, not by how new its build is. */
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

/** A damaged cache counts as none. */
function toAnswers(text = ""): Map<string, Result> {
  const { version, answers } = toRecord(parseJson(text));
  return new Map(version === 1 && Array.isArray(answers) ? answers.filter(isAnswer) : []);
}

function isAnswer(entry: unknown): entry is [string, Result] {
  return Array.isArray(entry) && typeof entry[0] === "string" && isRecord(entry[1]);
}
