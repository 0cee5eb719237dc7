import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.js";
import { ProgressReporter } from "./test/support/progress-reporter.js";

export default defineConfig({
  // "development": tests read the sources of the workspaces without a build.
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
    // Only for hung tests. A machine under load may be slow.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    // More than the cores of a small machine, because tests often wait for a process or browser.
    maxWorkers: 3,
    execArgv: ["--import", import.meta.resolve("./test/support/typescript-in-threads.mjs")],
    sequence: { sequencer: LongestFirst },
    // Modules hold only caches and metrics, so files share modules. Each file has separate data.
    isolate: false,
    // Reuses the compiled modules of earlier runs.
    experimental: { fsModuleCache: true },
  },
});
