#!/bin/sh
# Builds the modules. Needs clang and wasm-ld of version 14 or later, and wasi-libc.
set -eu
cd "$(dirname "$0")"

# The features that Palyra admits; clang 20 and later would take more without being told.
FEATURES="-mcpu=mvp -mbulk-memory -msign-ext -mnontrapping-fptoint -mmutable-globals"
WARNINGS="-Wall -Wextra -Werror"
LINK="-Wl,--strip-all -Wl,-z,stack-size=16384"

mkdir -p modules
# shellcheck disable=SC2086
clang --target=wasm32-wasi -mexec-model=reactor $FEATURES -Oz $WARNINGS $LINK \
    -o modules/wordcount.wasm src/wordcount.c
# shellcheck disable=SC2086
clang --target=wasm32 -ffreestanding -nostdlib $FEATURES -Oz $WARNINGS $LINK -Wl,--no-entry \
    -o modules/crc32.wasm src/crc32.c
chmod 644 modules/*.wasm
sh ../sdk/papers.sh "urn:palyra:examples:wordcount-c" "sh build.sh" \
    "library|wasi-libc|0.0~git20220510.9886d3d|MIT|pkg:deb/debian/wasi-libc@0.0~git20220510.9886d3d-2"
