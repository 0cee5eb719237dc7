import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["development"] },
  ssr: { resolve: { conditions: ["development", "module", "node"] } },
  test: {
    include: ["test/keychain/**/*.test.ts"],
    // On each first start npm downloads the package's dependencies, and builds keytar if needed.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
  },
});
