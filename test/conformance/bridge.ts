import { fileURLToPath } from "node:url";
import { bundleChild } from "../support/bridge-child.js";
import { bridgeMain } from "../support/bridge-process.js";
import type { Outcome } from "./outcome.js";
import { runSuite } from "./runner.js";
import { bridgeScenarios, revisions } from "./scenarios.js";

const browser = fileURLToPath(new URL("./follow.mjs", import.meta.url));

/**
 * Runs the client scenarios through the bridge: an official client over stdio, the bridge, the
 * suite's servers. They run one after another, since some measure time.
 */
export async function* runBridgeScenarios(): AsyncGenerator<Outcome> {
  const driver = await bundleChild(new URL("./bridge-driver.ts", import.meta.url));
  const command = [process.execPath, driver, bridgeMain, browser].join(" ");
  for (const revision of revisions) {
    for (const scenario of bridgeScenarios[revision]) {
      const run = await runSuite([
        "client",
        ...["--command", command],
        ...["--scenario", scenario],
        ...["--spec-version", revision],
      ]);
      yield { name: `bridge ${revision} ${scenario}`, ...run };
    }
  }
}
