import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installSuite } from "./runner.js";

/*
 * Pages of the server are TSX. tsx learns how to compile them from one tsconfig.json, given at its
 * start, and the root's has no files; so the run is a process of its own with the server's.
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
