/** A keychain that waits for a person, or for ever, is given up on after this long. */
const defaultLimitMs = 3_000;

/** No answer of the keychain within the limit. */
export class KeychainTimeout extends Error {
  constructor() {
    super("it does not answer");
    this.name = "KeychainTimeout";
  }
}

let lastTurn: Promise<unknown> = Promise.resolve();
/** The call that took too long and has not ended yet. */
let hanging: symbol | undefined;

/**
 * Runs calls of keychain libraries one after the other, and none while one hangs: each would take
 * one of the four threads that Node also reads files with.
 */
export function withKeychainTimeout<Result>(
  call: () => Promise<Result>,
  limitMs = defaultLimitMs,
): Promise<Result> {
  if (hanging !== undefined) return Promise.reject(new KeychainTimeout());
  const self = Symbol();
  let begun = false;
  let givenUp = false;
  const answer = lastTurn.then(() => {
    if (givenUp) throw new KeychainTimeout();
    begun = true;
    return call();
  });
  lastTurn = answer.catch(() => undefined);
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      givenUp = true;
      if (begun) hang(self);
      reject(new KeychainTimeout());
    }, limitMs);
    void answer.then(resolve, reject).finally(() => {
      clearTimeout(limit);
      if (hanging === self) hanging = undefined;
    });
  });
}

function hang(call: symbol): void {
  hanging = call;
  process.off("exit", killAtExit);
  process.on("exit", killAtExit);
}

/** An ordinary exit waits for all threads, also for the one that waits for the keychain. */
function killAtExit(): void {
  if (hanging !== undefined) process.kill(process.pid, "SIGKILL");
}
