import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { BridgeError, errorMessage, hasCode } from "../common/errors.js";
import { toRecord } from "../common/json.js";
import type { Log } from "../common/log.js";
import { isOpenToOthers } from "../common/ownership.js";
import { readJson, removeFile, writeFileAtomic } from "../profile/files.js";
import type { Profile } from "../profile/profile.js";
import type { SecretName, SecretStore } from "../profile/state.js";

type Secrets = Partial<Record<SecretName, string>>;

/**
 * `secrets.json` of the profile, for its owner alone: what a person has to ask for. Whoever changes
 * tokens holds the lock of a refresh, which guards this file too.
 */
export function createFileStore(profile: Profile, log: Log): SecretStore {
  const path = join(profile.folder, "secrets.json");
  const read = async (): Promise<Secrets> => {
    await closeToOthers(path, log);
    return toSecrets(await readJson(path));
  };
  const change = async (name: SecretName, value: string | undefined) => {
    const secrets = { ...(await read()), [name]: value };
    if (secrets.rt === undefined && secrets.at === undefined) await removeFile(path);
    else await writeFileAtomic(path, JSON.stringify(secrets));
  };
  return {
    backend: "file",
    get: async (name) => (await explain(path, read))[name],
    set: (name, value) => explain(path, () => change(name, value)),
    delete: (name) => explain(path, () => change(name, undefined)),
  };
}

function toSecrets(content: unknown): Secrets {
  const { rt, at } = toRecord(content);
  return { ...(typeof rt === "string" && { rt }), ...(typeof at === "string" && { at }) };
}

/** Somebody changed its mode, or copied it: refusing it would not take back what was read. */
async function closeToOthers(path: string, log: Log): Promise<void> {
  try {
    if (!isOpenToOthers(await stat(path))) return;
    await chmod(path, 0o600);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  log.error(
    `Other users of this computer could read the tokens in ${path}. It is closed to them now. ` +
      "If you do not trust them, sign out and in again.",
  );
}

async function explain<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const reason = errorMessage(cause);
    const message = `The file of the tokens, ${path}, cannot be used: ${reason}`;
    throw new BridgeError("keychain_unavailable", message, { cause });
  }
}
