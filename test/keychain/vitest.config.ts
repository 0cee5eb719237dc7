import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["development"] },
  ssr: { resolve: { conditions: ["development", "module", "node"] } },
  test: {
    include: ["test/keychain/**/*.test.ts"],
    // Each first start has npm fetch, and for keytar also build, what the package depends on.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
  },
});
