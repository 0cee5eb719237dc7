import { join } from "node:path";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { bundleChild } from "./bridge-child.js";
import { makeKeychainHome, type KeychainHome, type KeychainKind } from "./bridge-keychain.js";
import type { StoreReport, StoreTask } from "./bridge-store-child.js";

/** In "keyring", keytar is installed but not built. */
export type Libraries = "both" | "keyring";

/** Runs tasks in separate processes that share one keychain per test. */
export function useStoreSessions() {
  const folder = process.env["KEYCHAIN_LIBRARIES"];
  if (folder === undefined) throw new Error("Run these tests with npm run test:keychain.");
  const entry = new URL("./bridge-store-child.ts", import.meta.url);
  const programs = { both: "", keyring: "" };
  let home: KeychainHome;

  beforeAll(async () => {
    programs.both = await bundleChild(entry, join(folder, "both"));
    programs.keyring = await bundleChild(entry, join(folder, "keyring"));
  });
  beforeEach(() => {
    home = makeKeychainHome();
  });
  afterEach(() => {
    home.remove();
  });

  const perform = async (
    kind: KeychainKind,
    task: Omit<StoreTask, "home">,
    libraries: Libraries = "both",
  ): Promise<StoreReport> => {
    const argument = JSON.stringify({ home: join(home.path, "bridge"), ...task });
    const ended = await home.run(kind, [process.execPath, programs[libraries], argument]);
    if (ended.stdout !== "") return JSON.parse(ended.stdout) as StoreReport;
    throw new Error(`The process ended with ${String(ended.code)}: ${ended.stderr}`);
  };
  return Object.assign(perform, { questions: () => home.questions() });
}
