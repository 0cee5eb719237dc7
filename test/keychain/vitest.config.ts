import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["development"] },
  ssr: { resolve: { conditions: ["development", "module", "node"] } },
  test: { include: ["test/keychain/**/*.test.ts"], testTimeout: 30_000, maxWorkers: 2 },
});
