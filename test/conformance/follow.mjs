#!/usr/bin/env node
// The person at the browser: opens the address and is led back to the app.
const { status } = await fetch(process.argv[2] ?? "");
process.exitCode = status < 400 ? 0 : 1;
