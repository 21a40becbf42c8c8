#!/bin/sh
# Begins as the official image does: while an empty volume is set up a server for that alone answers on the socket, then the real one starts.
set -eu
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres:postgres /var/lib/postgresql /var/run/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid postgres --regid postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE"); fi
  : "${POSTGRES_PASSWORD:?set POSTGRES_PASSWORD}"
  password=$(mktemp)
  printf '%s\n' "$POSTGRES_PASSWORD" > "$password"
  eval "initdb --pgdata=\"$PGDATA\" --username=\"$POSTGRES_USER\" --pwfile=\"$password\" $POSTGRES_INITDB_ARGS"
  rm "$password"
  printf '\nhost all all all scram-sha-256\n' >> "$PGDATA/pg_hba.conf"
  pg_ctl --pgdata="$PGDATA" --options="-c listen_addresses='' -c unix_socket_directories=/var/run/postgresql" --wait start
  createdb --host /var/run/postgresql --username "$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sh; do
    if [ -e "$script" ]; then . "$script"; fi
  done
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
exec "$@" -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
