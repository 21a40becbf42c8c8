#!/bin/sh
# sh deploy/upgrade.sh, where docker-compose.yml is: replaces the running copies by those of UNITCELL_VERSION without a failed request.
# The new images must be here (docker compose build, or the archive's install.sh). `docker compose up` does the same with a pause.
set -eu

old=$(docker compose ps --quiet api)
copies=$(printf '%s\n' "$old" | grep -c .) || { echo "No copy of the api is running: docker compose up --detach --wait" >&2; exit 1; }
workers=$(docker compose ps --quiet worker | grep -c .) || workers=1

# Refused (a newer schema, a migration that fails) everything stays as it is. Older copies work on the newer schema: see docs/operating/docker.md.
docker compose run --rm --no-deps migrate
docker compose run --rm --no-deps seed

# Sends visitors to the first of these containers, or to all copies; the proxy ends what is under way.
send_to() {
  [ -n "$(docker compose ps --quiet web)" ] || return 0
  host=api
  [ "$1" = all ] || host=$(docker inspect --format '{{.Name}}' "$1" | tr -d /)
  docker compose exec -T -e "API_HOST=$host" web sh -c \
    'caddy reload --config "/etc/caddy/$WEB_TLS.Caddyfile" --adapter caddyfile --address unix//tmp/admin.sock'
}

# As many new ones beside the old ones. A copy has its name before it listens: visitors are sent to one that does.
send_to "$(printf '%s\n' "$old" | head -n 1)"
docker compose up --detach --no-build --no-deps --no-recreate --wait --scale "api=$((copies * 2))" api || { send_to all; exit 1; }
send_to "$(docker compose ps --quiet api | grep -vF "$old" | head -n 1)"
# What the old ones were asked before then is answered.
sleep 5
for container in $old; do
  docker stop "$container" > /dev/null
  docker rm "$container" > /dev/null
done
send_to all
docker compose up --detach --no-build --no-deps --wait --scale "worker=$workers" worker
