import type { AsyncEntry } from "@napi-rs/keyring";
import { type Keychain, type KeychainLibrary, service } from "./keychain.js";

/** Loads native code, so only what is needed. Rejects where the library is missing. */
export const loadLibrary: Record<KeychainLibrary, () => Promise<Keychain>> = {
  keytar: loadKeytar,
  keyring: loadKeyring,
};

async function loadKeytar(): Promise<Keychain> {
  const { default: keytar } = await import("keytar");
  return {
    library: "keytar",
    get: async (account) => (await keytar.getPassword(service, account)) ?? undefined,
    set: (account, value) => keytar.setPassword(service, account, value),
    delete: (account) => keytar.deletePassword(service, account),
  };
}

async function loadKeyring(): Promise<Keychain> {
  const library = await import("@napi-rs/keyring");
  const entries = new Map<string, AsyncEntry>();
  // Making one asks the Secret Service, within this thread. Without the pin it would go on to the
  // kernel's keyring without a word, which forgets everything at the next boot.
  const entryOf = (account: string) => {
    const entry =
      entries.get(account) ??
      new library.AsyncEntry(service, account, { linux: { store: "secret-service" } });
    entries.set(account, entry);
    return entry;
  };
  return {
    library: "keyring",
    get: async (account) => {
      const bytes = await entryOf(account).getSecret();
      return bytes === null ? undefined : Buffer.from(bytes).toString("utf8");
    },
    // As bytes: its passwords take twice the room on Windows.
    set: async (account, value) => {
      await entryOf(account).setSecret(Buffer.from(value));
    },
    delete: (account) => entryOf(account).deleteCredential(),
  };
}
