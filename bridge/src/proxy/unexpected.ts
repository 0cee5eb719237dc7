import { BridgeError } from "../errors.js";
import type { Log } from "../log.js";

/** One request that meets a fault of ours gets an answer, and the bridge lives on. */
export function toBridgeError(error: unknown, log: Log): BridgeError {
  if (error instanceof BridgeError) return error;
  log.error(`Unexpected: ${error instanceof Error ? String(error.stack) : String(error)}`);
  return new BridgeError(
    "outcome_unknown",
    "The bridge failed in a way that it should not. Check whether it was done; " +
      "`fettle-bridge doctor` may tell more.",
    { cause: error },
  );
}
