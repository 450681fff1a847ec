#!/usr/bin/env bash
# Exports tables of the old service (OLD_DATABASE_URL) from the same moment, named as in views.sql; by default, all of them:
# export.sh FOLDER [TABLE...]
set -euo pipefail
[ $# -gt 0 ] || { sed -n 3p "$0" >&2 && exit 2; }
version=$(psql --version | grep --only-matching --extended-regexp '[0-9]+' | head -n 1)
[ "$version" -ge 12 ] || { echo "Install psql 12 or newer: this is psql $version." >&2 && exit 1; }
folder=$1
shift
[ $# -gt 0 ] || set -- countries cities timezones services brand_types cuisine_types applications \
  companies branches partners tokens items tags
mkdir -p "$folder"
commands=()
for table in "$@"; do
  commands+=(--command="\\o '$folder/$table.csv'" --command="select * from $table")
done
psql "$OLD_DATABASE_URL" --no-psqlrc --quiet --csv --set=ON_ERROR_STOP=1 --file="$(dirname "$0")/views.sql" \
  --command='begin isolation level repeatable read' "${commands[@]}" --command=commit
