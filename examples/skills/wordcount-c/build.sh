#!/bin/sh
# Builds the modules. Needs clang and wasm-ld of version 14 or later, and wasi-libc.
set -eu
cd "$(dirname "$0")"

# The features that Palyra admits; clang 20 and later would take more without being told.
FEATURES="-mcpu=mvp -mbulk-memory -msign-ext -mnontrapping-fptoint -mmutable-globals"
WARNINGS="-Wall -Wextra -Werror"
LINK="-Wl,--strip-all -Wl,-z,stack-size=16384"

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# Linked without -O: with it clang runs wasm-opt where Binaryen is installed, which fails on the
# features above. A module that was there stays until its build worked.
build() {
    name=$1
    shift
    # shellcheck disable=SC2086
    clang "$@" $FEATURES -c -Oz $WARNINGS -o "$WORK/$name.o" "src/$name.c"
    # shellcheck disable=SC2086
    clang "$@" $LINK -o "$WORK/$name.wasm" "$WORK/$name.o"
    chmod 644 "$WORK/$name.wasm"
    mv "$WORK/$name.wasm" "modules/$name.wasm"
}

mkdir -p modules
build wordcount --target=wasm32-wasi -mexec-model=reactor
LINK="$LINK -Wl,--no-entry"
build crc32 --target=wasm32 -ffreestanding -nostdlib
sh ../sdk/supply-chain.sh "urn:palyra:examples:wordcount-c" "sh build.sh" \
    "library|wasi-libc|0.0~git20220510.9886d3d|MIT|pkg:deb/debian/wasi-libc@0.0~git20220510.9886d3d-2"
