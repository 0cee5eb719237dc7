#!/usr/bin/env node
// A browser whose person agrees at once: follows redirects from the sign-in address to the bridge.
const { status } = await fetch(process.argv[2] ?? "");
process.exitCode = status < 400 ? 0 : 1;
