#!/bin/sh
# Builds modules/skill.wasm. Needs clang and wasm-ld, version 14 or later, and no library. With
# wasi-libc: take --target=wasm32-wasi -mexec-model=reactor instead of the first two options.
set -eu
cd "$(dirname "$0")"
mkdir -p modules
# The -m options are what Palyra admits; newer versions of clang would take more without being told.
"${CLANG:-clang}" --target=wasm32 -ffreestanding -nostdlib -Oz -Wall -Wextra \
    -mcpu=mvp -mbulk-memory -msign-ext -mnontrapping-fptoint -mmutable-globals \
    -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=16384 \
    -o modules/skill.wasm src/skill.c
chmod 644 modules/skill.wasm
