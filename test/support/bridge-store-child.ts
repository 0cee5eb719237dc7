import { BridgeError } from "../../bridge/src/common/errors.js";
import type { StorageChoice } from "../../bridge/src/common/settings.js";
import type { Backend, SecretName, SecretStore } from "../../bridge/src/profile/profile.js";
import {
  createKeychainStore,
  type KeychainLibrary,
  loadLibrary,
  probeKeychain,
} from "../../bridge/src/storage/keychain.js";
import { chooseBackend, openStore, unlockKeychain } from "../../bridge/src/storage/open-store.js";
import { aContext, testSettings } from "./bridge-context.js";

/** A task of a process in a session with a prepared keychain. */
export interface StoreTask {
  home: string;
  /** The way it gets its store. "probe" is the report for `doctor`. */
  by: KeychainLibrary | "open" | "choose" | "probe";
  storage?: StorageChoice;
  recorded?: { backend: Backend; signedIn: boolean };
  calls?: readonly (
    | readonly ["get" | "delete", SecretName]
    | readonly ["set", SecretName, string]
    /** The action of a waiting person. */
    | readonly ["unlock"]
  )[];
}

export interface StoreReport {
  backend?: Backend;
  /** The result of each call, or the code of its BridgeError. */
  answers: unknown[];
  refused?: { code: string; message: string };
  probe?: Record<KeychainLibrary, string>;
  stderr: string;
  tookMs: number;
}

const task = JSON.parse(process.argv[2] ?? "") as StoreTask;
const { home, by, storage = "auto", recorded } = task;
const context = aContext(testSettings({ home, storage, environment: process.env }));
const report: StoreReport = { answers: [], stderr: "", tookMs: 0 };
const begunAt = performance.now();

if (by === "probe") {
  const { keytar, keyring } = await probeKeychain(process.env);
  report.probe = { keytar: keytar.outcome, keyring: keyring.outcome };
} else {
  const store = await open().catch((error: unknown) => {
    report.refused = toRefusal(error);
  });
  if (store !== undefined) {
    report.backend = store.backend;
    for (const call of task.calls ?? []) report.answers.push(await answer(store, call));
  }
}
report.stderr = context.stderr();
report.tookMs = performance.now() - begunAt;
process.stdout.write(JSON.stringify(report));
process.exit(0);

async function open(): Promise<SecretStore> {
  const state = recorded ?? { backend: undefined, signedIn: false };
  if (by === "open") return openStore(context, state);
  if (by === "choose") return chooseBackend(context, state);
  if (by === "probe") throw new Error("no store is made for a report");
  return createKeychainStore(await loadLibrary[by](process.env), context.profile.key);
}

async function answer(
  store: SecretStore,
  call: NonNullable<StoreTask["calls"]>[number],
): Promise<unknown> {
  try {
    if (call[0] === "unlock") return await unlockKeychain(context, store).then(() => "unlocked");
    const value = await (call[0] === "set" ? store.set(call[1], call[2]) : store[call[0]](call[1]));
    return value ?? null;
  } catch (error) {
    return toRefusal(error).code;
  }
}

function toRefusal(error: unknown): { code: string; message: string } {
  if (!(error instanceof BridgeError)) throw error;
  return { code: error.code, message: error.message };
}
