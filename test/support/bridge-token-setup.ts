import {
  createTokenManager,
  type TokenManager,
  type TokenManagerDeps,
} from "../../bridge/src/tokens/token-manager.js";
import { aContext, makeHome, type TestContext, testSettings } from "./bridge-context.js";
import { startTokenServer, type TokenServer } from "./bridge-oauth.js";
import { createTestStore, type TestStore } from "./bridge-store.js";

export interface TokenSetup {
  server: TokenServer;
  context: TestContext;
  store: TestStore;
  /** A manager as in another process of the profile, or after a restart. */
  aManager: (deps?: Partial<TokenManagerDeps>) => {
    manager: TokenManager;
    stderr: () => string;
  };
  end: () => void;
}

export const noToken = { value: "", generation: 0, expiresAt: 0 };

export async function setUpTokens(): Promise<TokenSetup> {
  const server = await startTokenServer();
  const home = makeHome();
  const context = aContext(testSettings({ home: home.path, server: `${server.origin}/mcp` }));
  const store = createTestStore();
  const managers: TokenManager[] = [];
  return {
    server,
    context,
    store,
    aManager: (deps = {}) => {
      const own = aContext(context.settings);
      const manager = createTokenManager(own, { openStore: async () => store, ...deps });
      managers.push(manager);
      return { manager, stderr: own.stderr };
    },
    end: () => {
      for (const manager of managers) manager.stop();
      server.close();
      home.remove();
    },
  };
}
