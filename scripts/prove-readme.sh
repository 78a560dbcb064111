#!/usr/bin/env bash
# Proves the two commands of the README on a fresh clone, in an empty folder, with an empty local
# Maven repository: ./palyra up reaches ready and answers a command, ./palyra test passes.
# Usage: scripts/prove-readme.sh [--no-test]     (clones what is committed, not the working tree)
set -euo pipefail

ROOT=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
TEST=true
case ${1:-} in
'') ;;
--no-test) TEST=false ;;
*)
    echo "usage: scripts/prove-readme.sh [--no-test]" >&2
    exit 2
    ;;
esac

PLACE=$(mktemp -d "${TMPDIR:-/tmp}/palyra-readme.XXXXXX")
chmod 755 "$PLACE"
GATEWAY=
finish() {
    if [ -n "$GATEWAY" ] && kill -0 "$GATEWAY" 2>/dev/null; then
        kill -KILL "$GATEWAY"
    fi
    rm -rf "$PLACE"
}
trap finish EXIT

fail() {
    echo "FAILED: $*" >&2
    [ -f "$PLACE/up.log" ] && tail -n 40 "$PLACE/up.log" >&2
    exit 1
}

export MAVEN_OPTS="${MAVEN_OPTS:-} -Dmaven.repo.local=$PLACE/repository"
export MAVEN_USER_HOME=$PLACE/maven
export PALYRA_STATE=$PLACE/state
export PALYRA_READY_FILE=$PALYRA_STATE/run/ready.json

git clone -q "$ROOT" "$PLACE/palyra"
cd "$PLACE/palyra"

started=$SECONDS
./palyra up --headless --http-port 0 >"$PLACE/up.log" 2>&1 </dev/null &
GATEWAY=$!
until [ -s "$PALYRA_READY_FILE" ]; do
    kill -0 "$GATEWAY" 2>/dev/null || fail "./palyra up ended before it was ready"
    [ $((SECONDS - started)) -lt 1200 ] || fail "./palyra up was not ready within 20 minutes"
    sleep 1
done
up=$((SECONDS - started))
grep -F 'palyra up in' "$PLACE/up.log" || fail "there is no start-up line"
./palyra status || fail "./palyra status ended with $?"

kill -TERM "$GATEWAY"
code=0
wait "$GATEWAY" || code=$?
GATEWAY=
[ "$code" -eq 0 ] || fail "./palyra up ended with $code after SIGTERM"
grep -qx 'palyra stopped' "$PLACE/up.log" || fail "it did not say that it stopped"
echo "./palyra up: ready after $up s, everything fetched and built"

if [ "$TEST" = true ]; then
    started=$SECONDS
    unset PALYRA_STATE PALYRA_READY_FILE
    ./palyra test | tee "$PLACE/test.log" || fail "./palyra test ended with an error"
    tail -n 1 "$PLACE/test.log" | grep -qE '^[0-9]+ passed, 0 failed(, [0-9]+ skipped)?$' ||
        fail "./palyra test did not end with its line"
    echo "./palyra test: $((SECONDS - started)) s"
fi
