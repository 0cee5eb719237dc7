import type { Log } from "../log.js";
import { createAlarm } from "./alarm.js";
import type { TokenSource } from "./token-source.js";

const againMs = 30_000;

export interface Saver {
  start: () => void;
  stop: () => void;
}

/** Tries again and again to store what the store did not take, and says so once. */
export function createSaver(source: TokenSource, log: Log): Saver {
  let warned = false;
  const alarm = createAlarm(() => {
    void source
      .save()
      .catch((error: unknown) => {
        log.debug(`Storing failed again: ${String(error)}`);
      })
      .then(() => {
        if (source.isUnsaved()) start();
      });
  });
  function start(): void {
    if (!warned) {
      log.error(
        "The renewed sign-in cannot be stored now. It is tried again while this bridge runs.",
      );
    }
    warned = true;
    alarm.set(Date.now() + againMs);
  }
  return {
    start,
    stop: () => {
      alarm.set(Infinity);
    },
  };
}
