#!/bin/sh
# sh install.sh [FOLDER]: installs Unitcell, or a newer version of it, from the archive this file came in. Nothing is fetched.
# FOLDER (/opt/unitcell) keeps .env, with the version and passwords set; volumes are not touched.
set -eu
from=$(cd "$(dirname "$0")" && pwd)
to=${1:-/opt/unitcell}

if ! (cd "$from" && sha256sum --check --strict --quiet SHA256SUMS); then
  echo "The archive is damaged or was changed: a file is not the one in SHA256SUMS. Nothing was installed; fetch it again." >&2
  exit 1
fi
docker compose version > /dev/null 2>&1 || {
  echo "Docker Engine with its Compose plugin (2.24 or newer) is needed and does not answer." >&2
  exit 1
}
gunzip -c "$from/images.tar.gz" | docker load --quiet
while read -r image; do
  docker image inspect "$image" > /dev/null
done < "$from/IMAGES"

mkdir -p "$to"
cp -R "$from/docker-compose.yml" "$from/deploy" "$from/docs" "$from/.env.example" "$from/LICENSE" "$from/CHANGELOG.md" "$to"
env=$to/.env
umask 077
if [ ! -e "$env" ]; then
  cp "$from/.env.example" "$env"
  chmod 600 "$env"
  secret() { od -An -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }
  {
    echo
    echo "# Made by install.sh."
    echo "POSTGRES_PASSWORD=$(secret 24)"
    echo "JWT_SECRET=$(secret 32)"
    echo "PUBLIC_URL=http://127.0.0.1:3000"
    echo "COMPOSE_FILE=docker-compose.yml:deploy/compose/prebuilt.yml"
  } >> "$env"
fi
version=$(cat "$from/VERSION")
grep -v '^UNITCELL_VERSION=' "$env" > "$env.new" || true
echo "UNITCELL_VERSION=$version" >> "$env.new"
mv "$env.new" "$env"

echo "Unitcell $version is in $to. Set PUBLIC_URL and what else you need in $env, then:"
echo "  cd $to && docker compose up --detach --wait"
