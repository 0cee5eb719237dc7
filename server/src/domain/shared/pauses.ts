import { setImmediate } from "node:timers/promises";

const maxMs = 10;

/** Lets long work yield to the event loop every few milliseconds. */
export function createPauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < maxMs) return;
    await setImmediate();
    since = performance.now();
  };
}
