import { expect } from "vitest";
import { useServer } from "../support/app.js";
import { browserTest, useChromium } from "../support/chromium.js";
import { runAtRandom } from "../support/offline-runs.js";
import { isLong, runs } from "./settings.js";

const current = useServer();
const chromium = useChromium();
const msOfRun = 10_000;

browserTest(
  "forms from a phone are sent once, however often network, page and worker fail",
  async () => {
    const { numRuns = 1, seed = 0 } = runs({ short: 25, long: 1000, seed: 44 });
    const outcome = await runAtRandom(chromium(), current(), { runs: numRuns, seed });
    console.log(JSON.stringify(outcome));
    expect(outcome).toMatchObject({ lost: [], doubled: [] });
    expect(outcome.confirmed).toBeGreaterThan(numRuns / 5);
  },
  (isLong ? 1000 : 40) * msOfRun,
);
