#!/bin/sh
# sh tools/bundle.sh [FILE]: one archive with all images, the composition and an installer, for a machine without a network.
# Build first (docker compose build). Over there: tar -xf FILE && sh unitcell-VERSION/install.sh
set -eu
cd "$(dirname "$0")/.."

version=${UNITCELL_VERSION:-$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)}
name=unitcell-$version
file=${1:-$name-$(uname -m).tar}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name

mkdir -p "$folder/docs/operating"
cp -R docker-compose.yml deploy .env.example LICENSE CHANGELOG.md tools/install.sh "$folder"
cp docs/operating/*.md "$folder/docs/operating"
printf '%s\n' "$version" > "$folder/VERSION"

# The names are those of the composition; what it asks for besides does not matter to them.
: > "$folder/.env"
images=$(cd "$folder" && POSTGRES_PASSWORD=x JWT_SECRET=x PUBLIC_URL=x UNITCELL_VERSION=$version docker compose config --images | sort -u)
rm "$folder/.env"
for image in $images; do
  docker image inspect "$image" > /dev/null 2>&1 || docker pull --quiet "$image"
done
printf '%s\n' "$images" > "$folder/IMAGES"
# shellcheck disable=SC2086 -- one word per image
docker save $images | gzip -1 > "$folder/images.tar.gz"
(cd "$folder" && find . -type f ! -name SHA256SUMS -print0 | LC_ALL=C sort -z | xargs -0 sha256sum > SHA256SUMS)

tar --create --file "$file" --directory "$work" --owner=0 --group=0 --numeric-owner "$name"
sha256sum "$file" > "$file.sha256"
printf '%s (%s)\n' "$file" "$(du -h "$file" | cut -f1)"
