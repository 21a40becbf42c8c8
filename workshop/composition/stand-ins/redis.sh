#!/bin/sh
# As the official image: without the protected mode, which Debian's package is compiled with, and not as root.
set -eu
if [ "$(id -u)" = 0 ] && [ "$1" = redis-server ]; then
  chown -R redis:redis /data
  exec setpriv --reuid redis --regid redis --init-groups "$0" "$@"
fi
if [ "$1" = redis-server ]; then set -- "$@" --protected-mode no; fi
exec "$@"
