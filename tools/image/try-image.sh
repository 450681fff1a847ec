#!/usr/bin/env bash
# Builds the Dockerfile with Debian's buildah and runs the image, without a container engine or image registry.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PATH:/usr/sbin

for program in buildah debootstrap curl; do
  if [ "$(id -u)" != 0 ] || ! command -v $program >/dev/null; then
    echo 'skipped: needs root, buildah, debootstrap and curl'
    exit
  fi
done

folder=$(mktemp -d)
service=
clean_up() {
  [ -z "$service" ] || kill -KILL "$service" 2>/dev/null || true
  rm -rf "$folder"
}
trap clean_up EXIT
buildah=(buildah --root "$folder/storage" --runroot "$folder/run" --storage-driver vfs)
fail() {
  printf 'failed: %s\n' "$*"
  exit 1
}

# The base image: a minimal Debian from this machine's mirror, the project's Node, this machine's npm, the user `node`.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | sed -n 1p)
base=$folder/base
debootstrap --variant=minbase bookworm "$base" "$mirror" >"$folder/log" || fail "$(tail "$folder/log")"
cp "$(node --print process.execPath)" "$base/usr/local/bin/node"
mkdir -p "$base/usr/local/lib/node_modules" "$base/usr/local/etc"
cp -r "$(dirname "$(dirname "$npm_execpath")")" "$base/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
chroot "$base" useradd --create-home node
container=$("${buildah[@]}" from scratch)
"${buildah[@]}" add --quiet "$container" "$base" / >/dev/null
"${buildah[@]}" commit --quiet --rm "$container" "$(sed -n 's/^FROM \(.*\) AS node$/\1/p' Dockerfile)" >/dev/null
rm -rf "$base"
echo 'ok: the base image'

mounts=(--volume /etc/ssl/certs:/etc/ssl/certs:ro)
[ ! -e "$npm_config_globalconfig" ] || mounts+=(--volume "$npm_config_globalconfig:/usr/local/etc/npmrc:ro")
"${buildah[@]}" bud --isolation chroot --pull=never --network host "${mounts[@]}" --tag image . >"$folder/log" 2>&1 ||
  fail "$(tail -20 "$folder/log")"
echo 'ok: the Dockerfile builds'

container=$("${buildah[@]}" from --pull-never image)
cache=$("${buildah[@]}" mount "$container")/app/compile-cache
compiled=$(cd "$cache" && find . -type f -printf '%p %T@\n')
command=$("${buildah[@]}" inspect --type image --format '{{range .OCIv1.Config.Cmd}}{{.}} {{end}}' image)
port=4788
"${buildah[@]}" run --isolation chroot --network host --env PORT=$port --env HOST=127.0.0.1 \
  --env EMBEDDED_DATABASE=on "$container" -- $command >"$folder/log" 2>&1 &
service=$!
url=http://127.0.0.1:$port
for _ in $(seq 300); do
  curl -fs $url/readyz >/dev/null && break
  kill -0 $service 2>/dev/null || fail "$(cat "$folder/log")"
  sleep 0.2
done
process=$(pgrep --full --newest "^/[^ ]*${command% }\$") || fail "$(cat "$folder/log")"
[ "$(ps -o user= -p "$process")" != root ] || fail 'the service runs as root'
# Reads the whole response before searching it: curl fails if its reader stops early.
serves() {
  [[ $(curl -fs "${@:2}") == *"$1"* ]] || fail "no $1 in the response of ${*:2}"
}
serves '"name_en":"Saudi Arabia"' $url/partner_portal/v1/countries
serves '"saturday"' $url/graphql -H 'Content-Type: application/json' -d '{"query":"{ lookups(key: WEEK_DAYS) { value } }"}'
serves 'id="rate_limited"' $url/guides/errors
echo 'ok: it runs without root, and serves REST, GraphQL and the guides'

kill -TERM "$process"
wait $service || fail "SIGTERM ends it with code $?"
service=
# The image's compiled code is unchanged, and PGlite's is in the same folder: Node has a folder for each set of options.
[ "$(ls "$cache" | wc -l)" = 1 ] || fail 'it runs with other options than it was compiled with'
now=$(cd "$cache" && find . -type f -printf '%p %T@\n')
[ -z "$(comm -23 <(sort <<<"$compiled") <(sort <<<"$now"))" ] && [ "$now" != "$compiled" ] ||
  fail 'it did not use its compiled code'
echo 'ok: SIGTERM ends it with code 0, and it used its compiled code'
