import { setTimeout as sleep } from "node:timers/promises";
import { BridgeError } from "../common/errors.js";
import { type ChannelEnd, connectHelper, type Message } from "../ipc/channel.js";
import type { Profile } from "../profile/profile.js";
import type { SecretStore } from "../profile/state.js";

const answerMs = 3_000;

/**
 * Secrets in the memory of the sign-in helper, which stays while a bridge is connected. Nothing
 * is there when no helper lives.
 */
export function createMemoryStore(profile: Profile): SecretStore {
  let connecting: Promise<ChannelEnd | undefined> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  /** One question at a time, so that the next message is its answer. Undefined when no helper lives. */
  const ask = (message: Message): Promise<Message | undefined> => {
    const answer = turn.then(() => askNow(message));
    turn = answer.catch(() => undefined);
    return answer;
  };
  const askNow = async (message: Message) => {
    const helper = await (connecting ??= connect(profile));
    helper?.keepAlive(true);
    helper?.send(message);
    const answer = await Promise.race([helper?.next(), sleep(answerMs, null, { ref: false })]);
    helper?.keepAlive(false);
    if (answer?.["answered"] === true) return answer;
    // The next question looks for another helper.
    connecting = undefined;
    helper?.close();
    if (answer === null) throw gone();
    return undefined;
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

async function connect(profile: Profile): Promise<ChannelEnd | undefined> {
  const helper = await connectHelper(profile);
  helper?.send({ op: "hold" });
  helper?.keepAlive(false);
  return helper;
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
    answer: (end: ChannelEnd, { op, name, value }: Message): void => {
      if (op === "set" && typeof value === "string") secrets.set(name, value);
      if (op === "delete") secrets.delete(name);
      end.send({ answered: true, value: secrets.get(name) });
    },
  };
}
