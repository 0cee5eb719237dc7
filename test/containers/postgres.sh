#!/usr/bin/env bash
# Does the first start of the PostgreSQL image with Debian's PostgreSQL.
set -euo pipefail
data=/var/lib/postgresql/data
chown postgres: "$data"
if [[ ! -s $data/PG_VERSION ]]; then
  install -o postgres -m 600 "$POSTGRES_PASSWORD_FILE" /tmp/password
  setpriv --reuid postgres --regid postgres --clear-groups \
    /usr/lib/postgresql/15/bin/initdb -D "$data" -U "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_DB" | setpriv --reuid postgres --regid postgres --clear-groups \
    /usr/lib/postgresql/15/bin/postgres --single -D "$data" postgres >/dev/null
fi
exec setpriv --reuid postgres --regid postgres --clear-groups \
  /usr/lib/postgresql/15/bin/postgres -D "$data" -c listen_addresses='*' -c unix_socket_directories=/tmp
