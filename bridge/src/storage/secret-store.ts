import type { Backend } from "../profile/state.js";

/** `rt` holds the refresh token, `at` the current access token, each as a small JSON text. */
export type SecretName = "rt" | "at";

/**
 * Where the secrets of one profile lie. Every call ends within 3 s. Throws a BridgeError with
 * `keychain_locked` or `keychain_unavailable`; undefined from `get` only says "not there".
 */
export interface SecretStore {
  backend: Backend;
  get: (name: SecretName) => Promise<string | undefined>;
  set: (name: SecretName, value: string) => Promise<void>;
  delete: (name: SecretName) => Promise<void>;
}
