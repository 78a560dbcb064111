#!/bin/sh
# Builds modules/skill.wasm. Needs clang and wasm-ld, version 14 or later, and no library. With
# wasi-libc: take --target=wasm32-wasi -mexec-model=reactor instead of TARGET's options below.
set -eu
cd "$(dirname "$0")"
TARGET="--target=wasm32 -ffreestanding -nostdlib"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
# The -m options are what Palyra admits; newer versions of clang would take more without being told.
# shellcheck disable=SC2086
"${CLANG:-clang}" $TARGET -c -Oz -Wall -Wextra \
    -mcpu=mvp -mbulk-memory -msign-ext -mnontrapping-fptoint -mmutable-globals \
    -o "$WORK/skill.o" src/skill.c
# Linked without -O: with it clang runs wasm-opt on the module where Binaryen is installed, which
# knows nothing of the features above and fails. The module that was there stays until this worked.
# shellcheck disable=SC2086
"${CLANG:-clang}" $TARGET \
    -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=16384 -Wl,-O2 \
    -o "$WORK/skill.wasm" "$WORK/skill.o"
mkdir -p modules
chmod 644 "$WORK/skill.wasm"
mv "$WORK/skill.wasm" modules/skill.wasm
