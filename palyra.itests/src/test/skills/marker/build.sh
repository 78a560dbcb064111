#!/bin/sh
# Builds the module. Needs clang and wasm-ld of version 14 or later.
set -eu
cd "$(dirname "$0")"

FEATURES="-mcpu=mvp -mbulk-memory -msign-ext -mnontrapping-fptoint -mmutable-globals"
LINK="-Wl,--strip-all -Wl,--no-entry -Wl,-z,stack-size=16384"
mkdir -p modules
# shellcheck disable=SC2086
clang --target=wasm32 -ffreestanding -nostdlib $FEATURES -Oz -Wall -Wextra -Werror $LINK \
    -o modules/marker.wasm src/marker.c
chmod 644 modules/marker.wasm
