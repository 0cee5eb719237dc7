import { setImmediate } from "node:timers/promises";

const maxMs = 10;

/** Within long work: lets what waits have its turn every few milliseconds. */
export function createPauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < maxMs) return;
    await setImmediate();
    since = performance.now();
  };
}
