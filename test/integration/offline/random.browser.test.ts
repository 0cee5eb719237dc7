import { expect } from "vitest";
import { useServer } from "../../support/app.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { runAtRandom } from "../../support/offline-runs.js";

const current = useServer();
const chromium = useChromium();
const runs = Number(process.env["OFFLINE_RUNS"] ?? 25);
const seed = Number(process.env["FUZZ_SEED"] ?? 44);

browserTest(
  "forms from a phone are sent once, however often network, page and worker fail",
  async () => {
    console.log(`FUZZ_SEED=${seed}`);
    const outcome = await runAtRandom(chromium(), current(), { runs, seed });
    console.log(JSON.stringify(outcome));
    expect(outcome).toMatchObject({ lost: [], doubled: [] });
    expect(outcome.confirmed).toBeGreaterThan(runs / 2);
  },
  120_000 + runs * 10_000,
);
