import { BridgeError } from "../common/errors.js";
import type { ChannelEnd, Message } from "../ipc/channel.js";
import { connectHelper } from "../ipc/channel.js";
import type { Profile } from "../profile/profile.js";
import type { SecretStore } from "../profile/state.js";

const answerMs = 3_000;

/**
 * Secrets in the memory of the sign-in helper, which stays while a bridge is connected. Nothing
 * is there when no helper lives.
 */
export function createMemoryStore(profile: Profile): SecretStore {
  let connecting: ReturnType<typeof connect> | undefined;
  const ask = async (message: Message): Promise<Message | undefined> => {
    connecting ??= connect(profile);
    const connection = await connecting;
    const answer = await connection?.ask(message);
    // Gone, so the next question looks for another helper.
    if (answer === undefined) connecting = undefined;
    return answer;
  };
  return {
    backend: "memory",
    get: async (name) => {
      const value = (await ask({ op: "get", name }))?.["value"];
      return typeof value === "string" ? value : undefined;
    },
    set: async (name, value) => {
      if ((await ask({ op: "set", name, value })) === undefined) throw gone();
    },
    delete: async (name) => {
      await ask({ op: "delete", name });
    },
  };
}

async function connect(profile: Profile) {
  const helper = await connectHelper(profile);
  if (helper === undefined) return undefined;
  const asked = new Map<unknown, (answer: Message | undefined) => void>();
  let count = 0;
  let open = true;
  helper.send({ op: "hold" });
  helper.onMessage((answer) => {
    asked.get(answer["id"])?.(answer);
  });
  void helper.closed.then(() => {
    open = false;
    for (const answer of asked.values()) answer(undefined);
  });
  helper.keepAlive(false);
  return {
    /** Undefined when the helper is gone. */
    ask: async (message: Message): Promise<Message | undefined> => {
      if (!open) return undefined;
      const id = (count += 1);
      helper.keepAlive(true);
      helper.send({ ...message, id });
      try {
        return await new Promise((resolve, reject) => {
          asked.set(id, resolve);
          setTimeout(reject, answerMs, gone()).unref();
        });
      } finally {
        asked.delete(id);
        helper.keepAlive(asked.size > 0);
      }
    },
  };
}

function gone(): BridgeError {
  return new BridgeError(
    "keychain_unavailable",
    "The process that kept the tokens in memory has ended. Sign in again.",
  );
}

/** Secrets that live as long as this process, for the helper and for the bridges that ask it. */
export function createMemorySecrets() {
  const secrets = new Map<unknown, string>();
  const store: SecretStore = {
    backend: "memory",
    get: async (name) => secrets.get(name),
    set: async (name, value) => {
      secrets.set(name, value);
    },
    delete: async (name) => {
      secrets.delete(name);
    },
  };
  return {
    store,
    isEmpty: () => secrets.size === 0,
    /** Does what a bridge's `get`, `set` or `delete` says. */
    answer: (end: ChannelEnd, { id, op, name, value }: Message): void => {
      if (op === "set" && typeof value === "string") secrets.set(name, value);
      if (op === "delete") secrets.delete(name);
      end.send(op === "get" ? { id, value: secrets.get(name) } : { id });
    },
  };
}
