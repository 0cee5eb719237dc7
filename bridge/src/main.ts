#!/usr/bin/env node
import { toMcpUrl } from "./server-address.js";

// The proxy itself is not built yet; this says so instead of leaving a client waiting on stdin.
const address = toMcpUrl(process.argv[2] ?? "");
process.stderr.write(
  address === undefined
    ? "Usage: fettle-bridge <server-url>\n"
    : `fettle-bridge cannot forward yet. Clients that speak HTTP connect directly to ${address}\n`,
);
process.exit(address === undefined ? 2 : 1);
