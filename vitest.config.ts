import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.js";
import { ProgressReporter } from "./test/support/progress-reporter.js";

export default defineConfig({
  // "development": tests read the workspaces' sources, no build in between.
  ssr: { resolve: { conditions: ["development", "node"] } },
  resolve: { conditions: ["development"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: ["**/node_modules/**", "test/{bench,conformance,keychain,node,windows}/**"],
    reporters: ["default", new ProgressReporter()],
    globalSetup: "test/support/global-setup.ts",
    tags: [
      { name: "browser", description: "Needs Chromium, and shows the same on every database." },
      {
        name: "embedded",
        description: "Runs on the embedded database as well, before each change.",
      },
    ],
    // These end what hangs; a machine under load may take its time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    // More than the cores of a small machine: tests often wait, for a process or a browser.
    maxWorkers: 3,
    execArgv: ["--import", import.meta.resolve("./test/support/typescript-in-threads.mjs")],
    sequence: { sequencer: LongestFirst },
    // Modules keep no state but caches and metrics, so files share them; data is each file's own.
    isolate: false,
    // What one run has compiled the next one reads.
    experimental: { fsModuleCache: true },
  },
});
