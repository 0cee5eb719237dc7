#!/usr/bin/env bash
# Tests the bridge with a real keychain: gnome-keyring in private sessions, and both libraries.
# Builds keytar in a separate folder, so the checkout is unchanged. Each test process gets its own
# D-Bus session, so the user's keychain is unchanged.
set -euo pipefail
cd "$(dirname "$0")/../.."

missing=()
need() { command -v "$1" >/dev/null || missing+=("$2"); }
need gnome-keyring-daemon gnome-keyring
need dbus-run-session dbus
need g++ g++
need make make
need python3 python3
need pkg-config pkg-config
pkg-config --exists libsecret-1 2>/dev/null || missing+=(libsecret-1-dev)
if ((${#missing[@]} > 0)); then
  echo "FAILED: the keychain tests need these Debian packages: ${missing[*]}" >&2
  exit 1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# "both" has the two libraries. In "keyring", keytar is installed but not built, as npm leaves it.
for kind in both keyring; do
  mkdir -p "$folder/$kind/node_modules/@napi-rs"
  cp -r node_modules/keytar "$folder/$kind/node_modules/"
  rm -rf "$folder/$kind/node_modules/keytar/build"
  ln -s "$PWD"/node_modules/@napi-rs/keyring* "$folder/$kind/node_modules/@napi-rs/"
done
cp -r node_modules/node-addon-api node_modules/prebuild-install "$folder/both/node_modules/"
echo '{ "private": true, "dependencies": { "keytar": "*" } }' >"$folder/both/package.json"
# Uses the headers that came with this Node instead of downloading them.
prefix=$(node -p 'path.dirname(path.dirname(process.execPath))')
if [[ -f $prefix/include/node/node_api.h ]]; then export npm_config_nodedir=$prefix; fi
npm --prefix "$folder/both" rebuild --silent --ignore-scripts=false keytar
if [[ ! -f "$folder/both/node_modules/keytar/build/Release/keytar.node" ]]; then
  echo "FAILED: keytar could not be built" >&2
  exit 1
fi

KEYCHAIN_LIBRARIES=$folder npx vitest run --config test/keychain/vitest.config.ts --root . "$@"
