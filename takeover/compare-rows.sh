#!/usr/bin/env bash
# Compares exported tables in the folders of the old and the new service, in the columns that the old one has:
# compare-rows.sh OLD NEW TABLE...
set -euo pipefail
[ $# -gt 2 ] || { sed -n 2,3p "$0" >&2 && exit 2; }
old=$1
new=$2
shift 2
for table in "$@"; do
  npx node "$(dirname "$0")/old-columns.ts" "$old/$table.csv" "$new/$table.csv" >"$new/$table.compared.csv"
  diff --brief "$old/$table.csv" "$new/$table.compared.csv" >/dev/null || {
    echo "The $table differ: diff $old/$table.csv $new/$table.compared.csv" >&2
    exit 1
  }
done
echo "Both services have the same rows: $*."
