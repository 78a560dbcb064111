#!/bin/sh
# Builds the module. Needs clang and wasm-ld of version 14 or later.
set -eu
cd "$(dirname "$0")"

FEATURES="-mcpu=mvp -mbulk-memory -msign-ext -mnontrapping-fptoint -mmutable-globals"
LINK="-Wl,--strip-all -Wl,--no-entry -Wl,-z,stack-size=16384"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
# Linked without -O: with it clang runs wasm-opt where Binaryen is installed, which fails.
# shellcheck disable=SC2086
clang --target=wasm32 -ffreestanding -nostdlib $FEATURES -c -Oz -Wall -Wextra -Werror \
    -o "$WORK/marker.o" src/marker.c
# shellcheck disable=SC2086
clang --target=wasm32 -nostdlib $LINK -o "$WORK/marker.wasm" "$WORK/marker.o"
chmod 644 "$WORK/marker.wasm"
mkdir -p modules
mv "$WORK/marker.wasm" modules/marker.wasm
