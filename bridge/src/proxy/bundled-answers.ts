import { version } from "../version.js";
import type { Result } from "./first-answers.js";

const newestWithHandshake = "2025-11-25";
const withHandshake = ["2024-11-05", "2025-03-26", "2025-06-18", newestWithHandshake];
const withoutHandshake = "2026-07-28";
const serverInfo = { name: "fettle-bridge", version };
/** The least that every server can be expected to do; the lists come when it answers. */
const capabilities = { tools: { listChanged: true } };

/** The answer to a client whose server was never reached before and is not reachable now. */
export function bundledInitialize(params: unknown): Result {
  const { protocolVersion } = (params ?? {}) as { protocolVersion?: unknown };
  const isKnown = withHandshake.some((known) => known === protocolVersion);
  return {
    protocolVersion: isKnown ? protocolVersion : newestWithHandshake,
    capabilities,
    serverInfo,
  };
}

/** The same for revisions without a handshake. Good for now only: it must be asked again. */
export function bundledDiscover(): Result {
  return {
    resultType: "complete",
    supportedVersions: [withoutHandshake],
    capabilities,
    ttlMs: 0,
    cacheScope: "private",
    _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
  };
}
