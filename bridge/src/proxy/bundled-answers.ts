import { version } from "../version.js";
import type { Result } from "./first-answers.js";

const newestWithHandshake = "2025-11-25";
const withHandshake = ["2024-11-05", "2025-03-26", "2025-06-18", newestWithHandshake];

/** The answer to a client whose server was never reached before and is not reachable now. */
export function bundledInitialize(params: unknown): Result {
  const { protocolVersion } = (params ?? {}) as { protocolVersion?: unknown };
  const isKnown = withHandshake.some((known) => known === protocolVersion);
  return {
    protocolVersion: isKnown ? protocolVersion : newestWithHandshake,
    // The least that every server can be expected to do; the lists come when it answers.
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "fettle-bridge", version },
  };
}
