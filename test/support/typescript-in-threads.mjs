import { register } from "tsx/esm/api";
import { isMainThread } from "node:worker_threads";

// Threads have no part in how vitest reads TypeScript, and `--import tsx` does nothing in them.
if (!isMainThread && process.argv[1]?.endsWith(".ts")) register();
