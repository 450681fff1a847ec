#!/usr/bin/env bash
# Shifts traffic now and for the next start of HAProxy: takeover.sh reads 0..100, takeover.sh writes old|hold|new
set -euo pipefail
map=${TAKEOVER_MAP-/etc/haproxy/takeover.map}
haproxy() { socat stdio "${HAPROXY_SOCKET-/run/haproxy/admin.sock}" <<<"$1"; }

case "${1-} ${2-}" in
  'reads '[0-9] | 'reads '[1-9][0-9] | 'reads 100' | 'writes old' | 'writes hold' | 'writes new') ;;
  *) sed -n 2p "$0" >&2 && exit 2 ;;
esac
if [ "$1" = writes ] && [ "$2" != new ] && grep --quiet ' writes new$' <<<"$(haproxy 'show map takeover.map')"; then
  echo 'Writes have moved to this service, and move once: the old service lacks what partners have written since.' >&2
  exit 1
fi
# Edited in place, because a container may have mounted the file.
changed=$(sed "s/^$1 .*/$1 $2/" "$map")
printf '%s\n' "$changed" >"$map"
state=$(haproxy "set map takeover.map $1 $2; show map takeover.map")
grep --only-matching '\(reads\|writes\) .*' <<<"$state" || { echo "$state" >&2 && exit 1; }
[ "$2" = hold ] || exit 0
# The old service finishes the writes in progress within 70 s (`timeout http-request` and `timeout server`).
for _ in {1..700}; do
  open=$(haproxy 'show stat' | awk -F, '$1 == "old" && $2 == "BACKEND" { open += $5 } END { print open + 0 }')
  [ "$open" != 0 ] || exit 0
  sleep 0.1
done
echo "$open writes are still in progress: run this again." >&2 && exit 1
