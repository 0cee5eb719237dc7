import { register } from "tsx/esm/api";

// Threads and processes that the server starts have no part in how vitest reads TypeScript, and `--import tsx` does
// nothing in threads.
if (process.argv[1]?.endsWith(".ts")) register();
