#!/usr/bin/env bash
# Imports the files of export.sh (DATABASE_URL), and compares the rows of both services: import.sh FOLDER [MOST]
# Without MOST, into an empty database. With it, updates the tenants, and removes up to MOST items and tags that are gone.
set -euo pipefail
# The exports have hashes of tokens.
umask 077
[ $# = 1 ] || [ $# = 2 ] || { sed -n 2,3p "$0" >&2 && exit 2; }
folder=$1
most=${2-}
admin() { npm run -s admin -- "$@"; }
import_file() { admin import "$1" "$folder/$1.csv" "${@:2}"; }

if [ -z "$most" ]; then
  admin migrate
  for list in countries cities timezones services brand_types cuisine_types applications; do
    [ ! -e "$folder/$list.csv" ] || import_file $list
  done
  # Fills the lists that were not exported.
  admin seed
fi
for list in companies branches partners tokens; do import_file $list; done
for list in items tags; do import_file $list ${most:+--delete-missing "$most"}; done
mkdir -p here
for list in companies branches partners tokens items tags; do admin export $list >here/$list.csv; done
bash "$(dirname "$0")/compare-rows.sh" "$folder" here companies branches partners items tags

ids() { cut -d, -f1 "$1/tokens.csv" | sort; }
tokens=$(comm -13 <(ids "$folder") <(ids here) | paste -sd ' ')
[ -z "$tokens" ] || echo "The old service does not have the tokens $tokens. Revoke those that it has deleted: token revoke ID." >&2
