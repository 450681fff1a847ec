#!/usr/bin/env bash
# Prints as CSV the tags that were added, changed or deleted here since the move: changed-tags.sh MOVED_TAGS_CSV
set -euo pipefail
[ $# = 1 ] && [ -s "$1" ] || { sed -n 2p "$0" >&2 && exit 2; }
now=$(mktemp)
trap 'rm -f "$now"' EXIT
npm run -s admin -- export tags >"$now"
# In the columns of the old service. Ids, the first two, are never quoted.
npx node "$(dirname "$0")/old-columns.ts" "$1" "$now" | awk -F, '
  { key = $1 FS $2 }
  NR == FNR { moved[key] = $0; next }
  FNR == 1 { print "change," $0; delete moved[key]; next }
  !(key in moved) { print "added," $0; next }
  moved[key] != $0 { print "changed," $0 }
  { delete moved[key] }
  END { for (key in moved) print "deleted," moved[key] }' "$1" -
