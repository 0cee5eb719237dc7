import { register } from "tsx/esm/api";

// vitest's TypeScript support doesn't apply to the server's threads and processes, and `--import
// tsx` has no effect in threads.
if (process.argv[1]?.endsWith(".ts")) register();
