#!/usr/bin/env node
// Acts as the person's browser: opens the address and follows redirects to the app.
const { status } = await fetch(process.argv[2] ?? "");
process.exitCode = status < 400 ? 0 : 1;
