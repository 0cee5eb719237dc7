import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installSuite } from "./runner.js";

/*
 * The server's pages are TSX. tsx reads the compiler options from one tsconfig.json at start, and
 * the root's has no files. So the run is a separate process with the server's.
 */

installSuite();
const run = spawnSync(
  process.execPath,
  [...process.execArgv, fileURLToPath(import.meta.resolve("./run.ts"))],
  {
    env: {
      ...process.env,
      TSX_TSCONFIG_PATH: fileURLToPath(new URL("../../server/tsconfig.json", import.meta.url)),
    },
    stdio: "inherit",
  },
);
process.exitCode = run.status ?? 1;
