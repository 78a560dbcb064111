#!/usr/bin/env bash
# Lays down WebAssembly's official test suite and prints the folder; it is not part of this
# repository. The scripts come from Debian's source packages, whose signatures apt checks:
#   short  binaryen 108 (Debian 12), 4 MB: a copy of the suite of WebAssembly 1.0 with bulk memory
#   full   and mozjs128 (Debian 13), 157 MB: the suite of 2024, in the form that SpiderMonkey runs
# Usage: scripts/wasm-suite.sh [short|full]     needs apt-get, tar, xz; no root, no deb-src entry
# They are kept in ${XDG_CACHE_HOME:-~/.cache}/palyra/wasm-suite. Exit code 1: no suite, and why.
set -euo pipefail

FORM=${1:-short}
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/palyra/wasm-suite
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

case $FORM in
short) packages=(binaryen=108-1:bookworm) ;;
full) packages=(binaryen=108-1:bookworm mozjs128=128.14.0-1~deb13u1:trixie) ;;
*)
    echo "usage: scripts/wasm-suite.sh [short|full]" >&2
    exit 2
    ;;
esac

no_suite() {
    echo "no official WebAssembly test suite: $*" >&2
    exit 1
}

if [ -e "$CACHE/$FORM/complete" ]; then
    printf '%s\n' "$CACHE/$FORM"
    exit 0
fi
for tool in apt-get tar xz; do
    command -v "$tool" >/dev/null 2>&1 || no_suite "$tool is not installed"
done
[ -e "$KEYRING" ] || no_suite "$KEYRING is missing; install debian-archive-keyring"

WORK=$(mktemp -d "${TMPDIR:-/tmp}/palyra-wasm-suite.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
mkdir -p "$WORK/lists/partial" "$WORK/cache/archives/partial" "$WORK/scripts"

# fetch PACKAGE=VERSION SUITE: downloads the source package by lists of its own.
fetch() {
    cat >"$WORK/sources.sources" <<SOURCES
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: $2
Components: main
Signed-By: $KEYRING
SOURCES
    local options=(
        -qq -o "Dir::Etc::sourcelist=$WORK/sources.sources" -o Dir::Etc::sourceparts=/nonexistent
        -o "Dir::State::lists=$WORK/lists" -o "Dir::Cache=$WORK/cache"
        -o Acquire::Retries=1 -o Acquire::http::Timeout=30 -o APT::Sandbox::User=root
    )
    apt-get "${options[@]}" update >&2 || return 1
    (cd "$WORK" && apt-get "${options[@]}" source --download-only "$1" >&2)
}

for entry in "${packages[@]}"; do
    package=${entry%:*}
    fetch "$package" "${entry##*:}" || no_suite "the source package $package cannot be fetched"
    case $package in
    binaryen=*)
        tar -xzf "$WORK"/binaryen_*.orig.tar.gz -C "$WORK" --wildcards '*/test/spec/*.wast'
        cp "$WORK"/binaryen-*/test/spec/*.wast "$WORK/scripts/"
        # not of the suite: its own negative tests, and scripts from before WebAssembly 1.0
        rm -f "$WORK"/scripts/*.fail.wast "$WORK"/scripts/old_*.wast
        ;;
    mozjs128=*)
        tar -xJf "$WORK"/mozjs128_*.orig.tar.xz -C "$WORK" --wildcards '*/jit-test/tests/wasm/spec/spec/*.wast.js'
        cp "$WORK"/firefox-*/js/src/jit-test/tests/wasm/spec/spec/*.wast.js "$WORK/scripts/"
        ;;
    esac
done
touch "$WORK/scripts/complete"
mkdir -p "$CACHE"
rm -rf "${CACHE:?}/$FORM"
mv "$WORK/scripts" "$CACHE/$FORM"
printf '%s\n' "$CACHE/$FORM"
