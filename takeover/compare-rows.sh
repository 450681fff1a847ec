#!/usr/bin/env bash
# Compares exported tables in the folders of the old and the new service: compare-rows.sh OLD NEW TABLE...
set -euo pipefail
[ $# -gt 2 ] || { sed -n 2p "$0" >&2 && exit 2; }
old=$1
new=$2
shift 2
# The last column of tags is their version, which the old service lacks.
rows() { if [ "$2" = tags ]; then sed 's/,[^,]*$//' "$1/$2.csv"; else cat "$1/$2.csv"; fi; }
for table in "$@"; do
  diff --brief "$old/$table.csv" <(rows "$new" "$table") >/dev/null || {
    rows=$new/$table.csv
    [ "$table" != tags ] || rows="<(sed 's/,[^,]*\$//' $rows)"
    echo "The $table differ: diff $old/$table.csv $rows" >&2
    exit 1
  }
done
echo "Both services have the same rows: $*."
