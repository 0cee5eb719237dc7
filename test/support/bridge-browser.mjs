#!/usr/bin/env node
// A browser in which the person agrees at once: follows the sign-in address back to the bridge.
const { status } = await fetch(process.argv[2] ?? "");
process.exitCode = status < 400 ? 0 : 1;
