import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../bridge/src/common/log.js";
import type { Settings } from "../../bridge/src/common/settings.js";
import type { Context } from "../../bridge/src/context/context.js";
import { createHttpClient } from "../../bridge/src/http/http-client.js";
import { openProfile } from "../../bridge/src/profile/profile.js";

export function testSettings(changes: Partial<Settings> = {}): Settings {
  return {
    server: "http://127.0.0.1/mcp",
    profile: "",
    storage: "auto",
    scope: undefined,
    headers: [],
    callbackPort: 0,
    timeoutMs: 60_000,
    caFile: undefined,
    cert: undefined,
    key: undefined,
    readOnly: false,
    logLevel: "error",
    home: "/nowhere",
    browser: undefined,
    client: undefined,
    clientMetadataUrl: undefined,
    environment: {},
    ...changes,
  };
}

export interface TestContext extends Context {
  stderr: () => string;
}

/** Creates a context like the commands do. With the same home, each one acts as another process. */
export function aContext(settings: Settings): TestContext {
  let written = "";
  return {
    settings,
    log: createLog(settings.logLevel, (line) => (written += line)),
    profile: openProfile(settings),
    http: createHttpClient(settings),
    stderr: () => written,
  };
}

export function makeHome(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "fettle-bridge-"));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
