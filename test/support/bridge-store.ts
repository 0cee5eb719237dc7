import { BridgeError } from "../../bridge/src/common/errors.js";
import type { Backend, SecretName, SecretStore } from "../../bridge/src/profile/profile.js";

export interface TestStore extends SecretStore {
  items: Map<SecretName, string>;
  /** The fault to simulate from now on. */
  trouble: "none" | "locked" | "read-only" | "forgetful";
}

/** A keychain that a test can inspect and damage. */
export function createTestStore(backend: Backend = "file"): TestStore {
  const items = new Map<SecretName, string>();
  const check = (isWrite: boolean) => {
    const { trouble } = store;
    if (trouble === "locked") throw new BridgeError("keychain_locked", "The keychain is locked.");
    if (isWrite && trouble === "read-only") {
      throw new BridgeError("keychain_unavailable", "The keychain takes nothing.");
    }
  };
  const store: TestStore = {
    backend,
    items,
    trouble: "none",
    get: async (name) => {
      check(false);
      return items.get(name);
    },
    set: async (name, value) => {
      check(true);
      if (store.trouble !== "forgetful") items.set(name, value);
    },
    delete: async (name) => {
      check(true);
      items.delete(name);
    },
  };
  return store;
}
