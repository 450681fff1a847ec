#!/usr/bin/env bash
# Shifts traffic at once and for the next start of HAProxy: takeover.sh reads 0..100, takeover.sh writes old|hold|new
set -euo pipefail
map=${TAKEOVER_MAP-/etc/haproxy/takeover.map}

case "${1-} ${2-}" in
  'reads '[0-9] | 'reads '[1-9][0-9] | 'reads 100' | 'writes old' | 'writes hold' | 'writes new') ;;
  *) sed -n 2p "$0" >&2 && exit 2 ;;
esac
# Written in place, because a container may have the file mounted.
changed=$(sed "s/^$1 .*/$1 $2/" "$map")
printf '%s\n' "$changed" >"$map"
state=$(echo "set map takeover.map $1 $2; show map takeover.map" | socat stdio "${HAPROXY_SOCKET-/run/haproxy/admin.sock}")
grep --only-matching '\(reads\|writes\) .*' <<<"$state" || { echo "$state" >&2 && exit 1; }
