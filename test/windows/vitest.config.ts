import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["development"] },
  ssr: { resolve: { conditions: ["development", "module", "node"] } },
  test: {
    include: ["test/windows/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
