import { fileURLToPath } from "node:url";
import { runAuthorizationScenarios } from "./authorization.js";
import { runBridgeScenarios } from "./bridge.js";
import type { Outcome } from "./outcome.js";
import { startProduct, type ServerUnderTest } from "./product.js";
import { runSuite } from "./runner.js";
import { productScenarios, revisions, type Revision } from "./scenarios.js";
import { startTokenProxy } from "./token-proxy.js";

/*
 * The official MCP conformance suite against the product: scenarios of both revisions, each by
 * itself, those of the authorization server, and those of clients through the bridge.
 */

async function runServerScenarios(server: ServerUnderTest, revision: Revision): Promise<Outcome[]> {
  const proxy = await startTokenProxy(server.port, server.token);
  try {
    const outcomes: Outcome[] = [];
    for (const scenario of productScenarios[revision]) {
      const run = await runSuite([
        "server",
        ...["--url", `http://localhost:${proxy.port}/mcp`],
        ...["--scenario", scenario],
        ...["--spec-version", revision],
        ...["--expected-failures", baselineOf(revision)],
      ]);
      outcomes.push(tell({ name: `${revision} ${scenario}`, ...run }));
    }
    return outcomes;
  } finally {
    await proxy.close();
  }
}

function baselineOf(revision: Revision): string {
  return fileURLToPath(new URL(`./baselines/product-${revision}.yaml`, import.meta.url));
}

function tell(outcome: Outcome): Outcome {
  console.log(`${outcome.passed ? "passed" : "FAILED"}  ${outcome.name}`);
  if (!outcome.passed) console.log(outcome.output.replaceAll(/^/gm, "    "));
  return outcome;
}

const product = await startProduct();
const outcomes: Outcome[] = [];
try {
  // Each scenario is a process that mostly starts, so the revisions do not wait for each other.
  const runs = revisions.map((revision) => runServerScenarios(product, revision));
  outcomes.push(...(await Promise.all(runs)).flat());
  outcomes.push(...(await runAuthorizationScenarios(product)).map(tell));
} finally {
  await product.close();
}
for await (const outcome of runBridgeScenarios()) outcomes.push(tell(outcome));
const failed = outcomes.filter(({ passed }) => !passed).length;
console.log(`${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
