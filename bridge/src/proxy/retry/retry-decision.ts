import type { Failure } from "../requests/failures.js";

/** What becomes of an exchange after a try: sent again, nothing more, or given up. */
export type RetryDecision = "retry" | "done" | Failure;
