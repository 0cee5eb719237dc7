import type { ChannelEnd, Message } from "../ipc/channel-end.js";
import type { SecretStore } from "../storage/secret-store.js";

/** Secrets that live as long as this process, for the helper and for the bridges that ask it. */
export interface MemorySecrets {
  store: SecretStore;
  isEmpty: () => boolean;
  /** Does what a bridge's `get`, `set` or `delete` says. */
  answer: (end: ChannelEnd, message: Message) => void;
}

export function createMemorySecrets(): MemorySecrets {
  const secrets = new Map<unknown, string>();
  return {
    store: {
      backend: "memory",
      get: async (name) => secrets.get(name),
      set: async (name, value) => {
        secrets.set(name, value);
      },
      delete: async (name) => {
        secrets.delete(name);
      },
    },
    isEmpty: () => secrets.size === 0,
    answer: (end, { id, op, name, value }) => {
      if (op === "set" && typeof value === "string") secrets.set(name, value);
      if (op === "delete") secrets.delete(name);
      end.send(op === "get" ? { id, value: secrets.get(name) } : { id });
    },
  };
}
