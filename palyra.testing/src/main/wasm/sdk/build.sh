#!/bin/sh
# Builds the real modules of the corpus whose names begin with `sdk-`. See BUILD.md.
set -eu
cd "$(dirname "$0")"
OUT=../../resources/palyra/testing/wasm/real
SDK=../../../../../examples/skills/sdk
RUSTC=${RUSTC:-rustc}

FEATURES="-mcpu=mvp -mbulk-memory -msign-ext -mnontrapping-fptoint -mmutable-globals"

# shellcheck disable=SC2086
c() {
    clang --target=wasm32 -ffreestanding -nostdlib $FEATURES "-$2" -Wall -Wextra -Werror \
        -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=16384 -o "$OUT/sdk-c-$1.wasm" "$1.c"
}

rust() {
    "$RUSTC" --edition 2021 --crate-type cdylib --target wasm32-unknown-unknown \
        -C opt-level="$2" -C lto=fat -C panic=abort -C codegen-units=1 -C strip=symbols \
        -C link-arg=-zstack-size=65536 -o "$OUT/sdk-rust-$1.wasm" "$1.rs"
}

assembly() {
    name=$1
    shift
    npx --no-install asc "$name.ts" --use abort= -o "$OUT/sdk-as-$name.wasm" "$@"
}

c sha256 O2
c quicksort O2
c lz O2
c bigint Os
c bytecode Os
# shellcheck disable=SC2086
clang --target=wasm32-wasi -mexec-model=reactor $FEATURES -O2 -Wall -Wextra -Werror \
    -Wl,--strip-all -Wl,-z,stack-size=32768 -o "$OUT/sdk-c-libc.wasm" libc.c
rust regex z
rust matrix 2
rust collections s
npm ci
cp "$SDK/assemblyscript/palyra.ts" palyra.ts
assembly mandelbrot --runtime stub -O3
assembly json --runtime incremental -O2
assembly maps --runtime incremental -O1
rm -rf palyra.ts node_modules
chmod 644 "$OUT"/sdk-*.wasm
