import { fileURLToPath } from "node:url";
import { runAuthorizationScenarios } from "./authorization.js";
import { runBridgeScenarios } from "./bridge.js";
import { answerFixture } from "./fixture.js";
import { runInspectorRequests } from "./inspector.js";
import type { Outcome } from "./outcome.js";
import { startServer, type ServerUnderTest } from "./server.js";
import { runSuite, type SuiteRun } from "./runner.js";
import { productScenarios, revisions, type Revision } from "./scenarios.js";
import { startTokenProxy } from "./token-proxy.js";

/*
 * Runs the official MCP conformance suite. Against the product: scenarios of both revisions that
 * need none of the suite's own items, one at a time. Against the product with these items: all that
 * a revision requires. Then the authorization server's scenarios, and the client scenarios through
 * the bridge. Finally the Inspector's command line as a client of the product.
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

async function runFixtureScenarios(server: ServerUnderTest, revision: Revision): Promise<Outcome> {
  const proxy = await startTokenProxy(server.port, server.token);
  try {
    const run = await runSuite([
      "server",
      ...["--url", `http://localhost:${proxy.port}/mcp`],
      ...["--requirements", revision],
    ]);
    return tell({ name: `${revision} with the suite's items: ${countRequired(run)}`, ...run });
  } finally {
    await proxy.close();
  }
}

/**
 * Counts the summary's lines. It has a line for each scenario, and repeats scenarios that don't
 * count, indented.
 */
function countRequired({ output }: SuiteRun): string {
  const unscored = new Set([...output.matchAll(/^ +[✓✗] ([\w-]+) \(/gm)].map(([, name]) => name));
  const scored = [...output.matchAll(/^([✓✗]) ([\w-]+):/gm)].filter(
    ([, , name]) => !unscored.has(name),
  );
  const passed = scored.filter(([, mark]) => mark === "✓");
  return `${passed.length} of ${scored.length} required scenarios`;
}

function baselineOf(revision: Revision): string {
  return fileURLToPath(new URL(`./baselines/product-${revision}.yaml`, import.meta.url));
}

function tell(outcome: Outcome): Outcome {
  console.log(`${outcome.passed ? "passed" : "FAILED"}  ${outcome.name}`);
  if (!outcome.passed) console.log(outcome.output.replaceAll(/^/gm, "    "));
  return outcome;
}

const product = await startServer();
const outcomes: Outcome[] = [];
try {
  // Each scenario is a process that spends most of its time starting, so the revisions run in
  // parallel.
  const runs = revisions.map((revision) => runServerScenarios(product, revision));
  outcomes.push(...(await Promise.all(runs)).flat());
  outcomes.push(...(await runAuthorizationScenarios(product)).map(tell));
  for await (const outcome of runInspectorRequests(product)) outcomes.push(tell(outcome));
} finally {
  await product.close();
}
const fixture = await startServer({ answerRequest: answerFixture });
try {
  for (const revision of revisions) outcomes.push(await runFixtureScenarios(fixture, revision));
} finally {
  await fixture.close();
}
for await (const outcome of runBridgeScenarios()) outcomes.push(tell(outcome));
const failed = outcomes.filter(({ passed }) => !passed).length;
console.log(`${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
